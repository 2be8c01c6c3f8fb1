"""axe finds nothing wrong in any state of a page, and every text is in the language of the reader."""

import os
import re
import unittest

import browser
from service import ROOT, Service, write_people

#: Language, theme, window and forced colours; the first ones have each of them at least once.
SURROUNDINGS = [
    ("en-US", "light", 1280, None),
    ("de-DE", "dark", 390, None),
    ("he-IL", "dark", 1280, None),
    ("en-US", "light", 1280, "active"),
    ("en-US", "dark", 390, None),
    ("de-DE", "light", 1280, None),
    ("he-IL", "light", 390, None),
]
if os.environ.get("ROSTER_TEST_MATRIX") != "all":
    del SURROUNDINGS[4:]

#: Words of English pages that are no German ones, and not those of the rows.
ENGLISH = (
    "search|sort|columns?|next|previous|apply|save|saved|cancel|delete|edit|close|rows?|nothing|"
    "show|hide|move|group|more|value|values|missing|written|the|and|of|is|lists|undo|copy|file|"
    "preview|needed|allowed|least|largest|smallest|mean|page|pages|change|new|add|all|no|not|with"
)


TEXTS = ROOT / "Sources/Rendering/Texts"


def english_texts():
    """The texts of English pages that German ones do not have, too."""
    lines = (TEXTS / "German.txt").read_text().splitlines()
    own, others = (
        {part.strip(" .,:;?!'()") for line in lines[start::2] for part in re.split("[%|]", line)}
        for start in (0, 1)
    )
    others |= set("\n".join(lines[1::2]).split())
    return sorted(text for text in own - others if len(text) > 2 and re.search("[a-z]{2}", text))


ENGLISH_TEXTS = english_texts()


def shown(page):
    """The texts that are shown or spoken on a page, except those that say they are English."""
    return page.evaluate(
        """() => {
            const part = document.documentElement.cloneNode(true);
            for (const code of part.querySelectorAll("code, pre, script, :not(html)[lang=en]")) code.remove();
            const texts = [part.querySelector("title")?.textContent, part.querySelector("body").innerText,
                ...[...part.querySelectorAll("*")].flatMap((element) =>
                    ["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? "")
                        .concat(Object.values(element.dataset.live ? element.dataset : {})))];
            return texts.join("\\n");
        }"""
    )


def english(page, has_names=False):
    """The English words and texts on a page, except single words on a page with names of the API."""
    text = " ".join(shown(page).split())
    wanted = [part for part in ENGLISH_TEXTS if not has_names or " " in part]
    found = [part for part in wanted if re.search(rf"(?<![\w-]){re.escape(part)}(?![\w(-])", text)]
    words = [] if has_names else re.findall(rf"(?<![\w-])(?:{ENGLISH})(?![\w-])", text, re.IGNORECASE)
    return sorted(set(found + words))


class MatrixTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 30)
        empty = cls.file("empty.csv")
        with open(empty, "w", encoding="utf-8") as file:
            file.write("id,name\n")
        cls.serve(Service(
            f"people={people}", f"leer={empty}", "--database", cls.file("daten.sqlite"),
            "--allow-writes", "--allow-anonymous-writes",
        ))
        cls.reading = Service(f"leer={empty}").__enter__()
        cls.addClassCleanup(cls.reading.__exit__)

    def states(self, page):
        """Opens one state after the other, and yields its name."""
        base, is_wide = self.service.base, page.viewport_size["width"] > 640
        for path in (
            "/", "/?q=ada", "/?q=nobodyatall", "/people?q=nobodyatall", "/people?age=x&limit=0",
            "/people/9999", "/nowhere", "/people/1", "/people/1/-/edit", "/people/1/-/delete",
            "/people/-/new", "/people/-/schema", "/people?statistics=age&layout=grid",
            "/people?group=city&city__isnull=false&sort=-age,name", "/people?group=city&facets=active",
            "/people?layout=grid&group=born&limit=5", "/people/-/sections?group=city", "/leer",
            "/people?q=ada&limit=2&page=2", "/people?city=Oslo&sum=age&or=(age__lt=30,not(name=Ada))",
        ):
            page.goto(base + path)
            yield path
        page.goto(self.reading.base + "/leer")
        yield "an empty list that takes no rows"
        page.goto(base + "/people")
        page.wait_for_selector("#help:not([disabled])", state="attached")
        for number in range(page.locator("main details.menu > summary").count()):
            summary = page.locator("main details.menu > summary").nth(number)
            if not summary.is_visible():
                continue
            summary.click()
            yield f"menu {number}"
            summary.click()
        if is_wide:
            page.locator("th[data-c=age] .cm").click()
            yield "menu of a column"
            page.locator("#cm [data-do=statistics]").click()
            page.wait_for_selector("#cm .stats svg")
            yield "statistics of a column"
            page.keyboard.press("Escape")
        page.keyboard.press("?")
        page.wait_for_selector("dialog[open]")
        yield "keys"
        page.keyboard.press("Escape")
        if is_wide:
            page.locator("#list th[scope=row] a").first.click()
            page.wait_for_selector("#panel .row")
            yield "row beside the list"
            page.locator("#panel [data-act=edit]").click()
            page.wait_for_selector("#panel form")
            yield "form beside the list"
        yield from self.imports(page)
        yield from self.changes(page)

    def imports(self, page):
        """Looks at two files before they are imported."""
        rows = "id,name,age,born\n501,Ida,31,1990-01-02\n"
        for state, content in (("right file", rows), ("wrong file", "id,nmae,age\n501,Ida,x\n")):
            page.goto(self.service.base + "/people")
            page.wait_for_selector("#help:not([disabled])", state="attached")
            page.locator("[data-key=i] > summary").click()
            file = {"name": "a.csv", "mimeType": "text/csv", "buffer": content.encode()}
            page.locator("[data-key=i] [type=file]").set_input_files(file)
            page.locator("[data-key=i] form button").click()
            # A page with progress loads itself again.
            page.wait_for_selector(".ways .go, .faults")
            yield f"preview of a {state}"

    def changes(self, page):
        """Opens the dialogs for several rows, changes and deletes two, and takes it back."""
        for kind in (0, 1):
            page.goto(self.service.base + "/people?sort=name")
            page.wait_for_selector("#live:not([hidden])")
            for at in (0, 1):
                page.locator("#list [name=id]").nth(at).check()
            yield "chosen rows"
            page.locator("#act details > summary").nth(kind).click()
            yield f"dialog {kind} for chosen rows"
            form = page.locator("#act details[open]")
            if kind == 0:
                form.locator("[name=form__column]").select_option("notes")
                form.locator("[name=form__value]").fill("x")
            form.locator("button").last.click()
            page.wait_for_selector("#toast button")
            yield f"result {kind}"
            page.locator("#toast button").click()
            page.wait_for_function("document.querySelector('#toast') && !document.querySelector('#toast button')")
            yield f"taken back {kind}"

    def test_has_no_violation(self):
        for locale, theme, width, forced in SURROUNDINGS:
            page = self.browser.page(width, theme, locale=locale, forced_colors=forced)
            for state in self.states(page):
                with self.subTest(f"{state} in {locale}, {theme}, {width} px, {forced}"):
                    self.assertEqual(browser.violations(page), [])
                    if locale != "en-US":
                        self.assertEqual(english(page, has_names=state.endswith("schema")), [])
            self.assertEqual(page.errors, [])
            page.context.close()


if __name__ == "__main__":
    unittest.main()
