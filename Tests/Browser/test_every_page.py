"""What holds for every page: accessible, whole at every width, the same rows as JSON, light."""

import os
import re
import unittest
import urllib.error
import urllib.request

import browser
from service import Service, write_people

WIDTHS = [320, 390, 768, 1280]
#: All combinations, with every check in each that has scripts.
IS_WHOLE = os.environ.get("ROSTER_TEST_MATRIX") == "all"
#: The combinations tried otherwise, and whether axe looks at them.
WINDOWS = {
    (1280, "light", "ltr", True): True,
    (320, "dark", "ltr", True): True,
    (390, "light", "rtl", True): False,
    (768, "light", "ltr", False): False,
    (1280, "dark", "rtl", False): False,
}


class EveryPageTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 240)
        cls.serve(Service(
            f"people={people}", "--group-by", "people=city",
            "--database", cls.file("lists.sqlite"),
            "--allow-writes", "--allow-anonymous-writes",
        ))
        cls.pages = [
            "/", "/people", "/people?page=3", f"/people?after={cursor(cls.service)}",
            "/people?q=nobody-has-this-name", "/people?city=Oslo&age__gte=30&q=ada",
            "/people?group=none&sort=-name", "/people?group=name:initial", "/people?layout=grid",
            "/people?per_section=3", "/people/-/sections", "/people/-/sections/Oslo",
            "/people/-/schema", "/people/1", "/people/1/-/edit", "/people/1/-/delete",
            "/people/-/new", "/-/problems/invalid-parameter", "/-/docs", "/-/docs/querying",
            "/-/docs/problems",
        ]
        cls.problems = [
            "/people?age__gtt=3&limit=9999", "/people?after=broken", "/people/no-such-row",
            "/nothing-here",
        ]

    def test_has_no_violation_no_overflow_and_no_small_target(self):
        wrong = []
        for width in WIDTHS:
            for theme in ("light", "dark"):
                for direction in ("ltr", "rtl"):
                    for script in (True, False):
                        window = (width, theme, direction, script)
                        if IS_WHOLE or window in WINDOWS:
                            wrong += self.wrong(*window)
        self.assertEqual(wrong, [], "\n".join(wrong[:40]))

    def wrong(self, width, theme, direction, script):
        """What is wrong with the pages in one window, a line each."""
        page = self.browser.page(width, theme, script)
        found = []
        for path in self.pages + self.problems:
            page.goto(self.service.base + path)
            page.evaluate(f"document.documentElement.dir = '{direction}'")
            wrong = browser.overflow(page) + browser.small_targets(page) + page.errors
            # What axe looks at depends on the theme and little else, and takes its time; it is a
            # script itself.
            if script and (IS_WHOLE or WINDOWS[width, theme, direction, script]):
                wrong += browser.violations(page)
            name = f"{path} {width} {theme} {direction} script={script}"
            found += [f"{name}: {line}" for line in wrong]
            page.errors.clear()
        page.context.close()
        return found

    def test_does_not_move_while_it_loads(self):
        page = self.browser.page()
        for path in self.pages:
            page.goto(self.service.base + path)
            # Where the browser paints before the last rows have come, columns grow by what is in
            # them: on a processor sixty times slower by 0.002. A line that a script put in would be
            # 0.04, and up to 0.1 people call good (https://web.dev/articles/cls).
            self.assertLess(browser.shift(page), 0.01, path)
        page.context.close()

    def test_names_exactly_one_sorted_column_and_every_section(self):
        page = self.browser.page()
        for path in ("/people?sort=city", "/people?sort=-age,name", "/people?group=none&sort=name"):
            page.goto(self.service.base + path)
            self.assertEqual(page.locator("#list [aria-sort]").count(), 1, path)
        page.goto(self.service.base + "/people")
        bodies = page.locator("#list tbody").count()
        self.assertEqual(page.get_by_role("rowgroup").count(), bodies + 1)
        self.assertEqual(page.locator("#list tbody[aria-labelledby]").count(), bodies)
        page.context.close()

    def test_shows_the_rows_of_the_json_in_their_order(self):
        page = self.browser.page()
        for path in ("/people", "/people?sort=-age&group=none", "/people?city=Oslo",
                     "/people?layout=grid", "/people/-/sections/Paris", "/people?per_section=2"):
            page.goto(self.service.base + path)
            shown = page.eval_on_selector_all(
                "#list [id^='r-']", "rows => rows.map(row => decodeURIComponent(row.id.slice(2)))"
            )
            head, _, tail = path.partition("?")
            answer = self.service.json(f"{head}.json?{tail}" if tail else f"{head}.json")
            rows = [row["id"] for section in answer["sections"] for row in section["rows"]]
            self.assertEqual(shown, rows, path)
        page.context.close()

    def test_links_to_what_answers(self):
        page = self.browser.page()
        seen = set()
        for path in self.pages:
            page.goto(self.service.base + path)
            for address in page.eval_on_selector_all("a[href], link[href]", "all => all.map(a => a.href)"):
                if address.startswith(self.service.base):
                    seen.add(address.partition("#")[0])
        wrong = []
        for address in sorted(seen)[:1500]:
            request = urllib.request.Request(address, headers={"Accept": "text/html, */*;q=0.1"})
            try:
                with urllib.request.urlopen(request) as answer:
                    answer.read()
            except urllib.error.HTTPError as error:
                wrong.append(f"{error.code} {address}")
        self.assertEqual(wrong, [])
        page.context.close()

    def test_is_reached_whole_by_the_tab_key(self):
        page = self.browser.page()
        page.goto(self.service.base + "/people?limit=10")
        page.keyboard.press("Tab")
        first = page.evaluate("document.activeElement.className")
        self.assertEqual(first, "skip")
        reached = set()
        for _ in range(400):
            reached.add(page.evaluate(
                "[...document.querySelectorAll('*')].indexOf(document.activeElement)"
            ))
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement === document.body"):
                break
        wanted = page.evaluate(
            """() => [...document.querySelectorAll("a[href], button, input, select, summary, #list [tabindex='0']")]
                .filter((part) => part.checkVisibility() && part.type !== "hidden" && part.tabIndex >= 0)
                .map((part) => [...document.querySelectorAll("*")].indexOf(part))"""
        )
        self.assertEqual(set(wanted) - reached, set())
        # The table is one stop, in which the arrows go to the others.
        stops = page.locator("#list :is(a, button, input, summary, th, td)")
        self.assertEqual(stops.evaluate_all("all => all.filter((part) => part.tabIndex >= 0).length"), 1)
        page.context.close()

    def test_is_light(self):
        page = self.browser.page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(self.service.base + "/people?limit=50")
        page.wait_for_load_state("load")
        files = [url for url in asked if "/changes" not in url]
        self.assertLessEqual(len(files), 4, files)
        size = 0
        for url in files:
            request = urllib.request.Request(
                url, headers={"Accept": "text/html, */*", "Accept-Encoding": "gzip"}
            )
            with urllib.request.urlopen(request) as answer:
                size += len(answer.read())
        self.assertLessEqual(size, 33 * 1024, files)
        page.context.close()

    def test_prints_every_column_on_paper(self):
        page = self.browser.page()
        page.goto(self.service.base + "/people?limit=100")
        paper = page.pdf(format="A4")
        pages = len(re.findall(rb"/Type\s*/Page[^s]", paper))
        self.assertTrue(2 <= pages <= 12, pages)
        page.emulate_media(media="print")
        hidden = page.eval_on_selector_all(
            "#list td", "cells => cells.filter(cell => !cell.checkVisibility()).length"
        )
        self.assertEqual(hidden, 0)
        page.context.close()


def cursor(service):
    """Where the second page of the people begins."""
    return service.json("/people.json?limit=50")["page"]["after"]


if __name__ == "__main__":
    unittest.main()
