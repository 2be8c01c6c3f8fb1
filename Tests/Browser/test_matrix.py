"""axe finds nothing wrong in any state of a page, in several languages, themes and windows."""

import os
import unittest

import browser
from service import Service, write_people

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


def english(page):
    """The English words that are shown or spoken on a page."""
    return page.evaluate(
        """(words) => {
            const part = document.body.cloneNode(true);
            for (const code of part.querySelectorAll("code, pre, script")) code.remove();
            const texts = [part.innerText, ...[...part.querySelectorAll("*")].flatMap((element) =>
                ["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? "")
                    .concat(Object.values(element.dataset.live ? element.dataset : {})))];
            return [...new Set(texts.join("\\n").match(new RegExp(`(?<![\\\\w-])(${words})(?![\\\\w-])`, "gi")))];
        }""",
        ENGLISH,
    )


class MatrixTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 30)
        cls.serve(Service(f"people={people}", "--allow-writes", "--allow-anonymous-writes", "--title", "Verzeichnis"))

    def states(self, page):
        """Opens one state after the other, and yields its name."""
        base, is_wide = self.service.base, page.viewport_size["width"] > 640
        for path in (
            "/", "/?q=ada", "/?q=nobodyatall", "/people?q=nobodyatall", "/people?age=x&limit=0",
            "/people/9999", "/nowhere", "/people/1", "/people/1/-/edit", "/people/1/-/delete",
            "/people/-/new", "/people/-/schema", "/people?statistics=age&layout=grid",
            "/people?group=city&city__isnull=false&sort=-age,name",
        ):
            page.goto(base + path)
            yield path
        page.goto(base + "/people")
        page.wait_for_selector("#help:not([disabled])")
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

    def test_has_no_violation(self):
        for locale, theme, width, forced in SURROUNDINGS:
            page = self.browser.page(width, theme, locale=locale, forced_colors=forced)
            for state in self.states(page):
                with self.subTest(f"{state} in {locale}, {theme}, {width} px, {forced}"):
                    self.assertEqual(browser.violations(page), [])
                    # The descriptions of parameters are documentation, which is English.
                    if locale == "de-DE" and not state.endswith("schema"):
                        self.assertEqual(english(page), [])
            self.assertEqual(page.errors, [])
            page.context.close()


if __name__ == "__main__":
    unittest.main()
