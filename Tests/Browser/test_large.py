"""A page of many thousand cells costs what a person sees of it, and is a table as any other."""

import os
import tempfile
import unittest

import browser
from service import Service, write_wide

ROWS = "#list [id^='r-']"
COLUMNS = 24
PATH = "/wide?limit=500"
#: The places of rows whose cells are laid out.
SEEN = f"""() => [...document.querySelectorAll("{ROWS}")].flatMap((row, place) =>
    row.lastElementChild.checkVisibility({{ contentVisibilityAuto: true }}) ? [place] : [])"""
IDS = f"""() => [...document.querySelectorAll("{ROWS}")].map((row) => row.id)"""


class LargePage(browser.BrowserTests):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="roster-browser-")
        self.addCleanup(folder.cleanup)
        wide = os.path.join(folder.name, "wide.csv")
        write_wide(wide)
        self.service = Service(
            f"wide={wide}", "--database", os.path.join(folder.name, "lists.sqlite"),
            "--allow-writes", "--allow-anonymous-writes",
        ).__enter__()
        self.addCleanup(self.service.__exit__)

    def open(self, path=PATH, **options):
        page = self.browser.page(**options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        return page

    def open_live(self):
        page = self.open()
        page.wait_for_selector("#live:not([hidden])")
        return page


class LargeTests(LargePage):
    def test_lays_out_the_rows_that_are_seen(self):
        for script in (True, False):
            page = self.open(script=script)
            page.wait_for_timeout(300)
            seen = page.evaluate(SEEN)
            self.assertTrue(10 < len(seen) < 100, len(seen))
            page.evaluate("document.querySelector('.wide').scrollTop = 1e6")
            page.wait_for_timeout(300)
            seen = page.evaluate(SEEN)
            self.assertIn(499, seen)
            self.assertLess(len(seen), 100)

    def test_costs_little_for_each_cell(self):
        page = self.open_live()
        count = page.evaluate("document.querySelectorAll('#list *').length")
        self.assertLess(count / (500 * COLUMNS), 2)
        session = page.context.new_cdp_session(page)
        listening = 0
        for part in ("document.querySelector('#list')", "document.querySelector('#list tbody')",
                     f"document.querySelector(\"{ROWS}\")", f"document.querySelector(\"{ROWS} td\")"):
            found = session.send("Runtime.evaluate", {"expression": part})["result"]["objectId"]
            listeners = session.send("DOMDebugger.getEventListeners", {"objectId": found, "depth": -1})
            listening += len(listeners["listeners"])
        self.assertEqual(listening, 0)

    def test_columns_stand_below_their_heads_and_heads_stay(self):
        page = self.open()
        page.evaluate("document.querySelector('.wide').scrollTo(700, 3000)")
        page.wait_for_timeout(300)
        found = page.evaluate(
            f"""() => {{
                const edge = (part, side) => part.getBoundingClientRect()[side];
                const [frame, head] = [document.querySelector(".wide"), document.querySelector("thead tr")];
                const edges = (row) => [...row.children].slice(1).map((cell) => Math.round(edge(cell, "left"))).join();
                const rows = [...document.querySelectorAll("{ROWS}")]
                    .filter((row) => row.lastElementChild.checkVisibility({{ contentVisibilityAuto: true }}));
                const first = rows[0].querySelector("th");
                return [rows.length, rows.filter((row) => edges(row) !== edges(head)).length,
                    Math.round(edge(head, "top") - edge(frame, "top")),
                    Math.round(edge(first, "left") - edge(frame, "left"))];
            }}"""
        )
        self.assertGreater(found[0], 10)
        self.assertEqual(found[1:], [0, 1, 1])

    def test_has_no_violation_no_overflow_and_no_small_target(self):
        for theme in ("light", "dark"):
            page = self.open(theme=theme)
            self.assertEqual(browser.overflow(page) + browser.small_targets(page) + page.errors, [])
        self.assertEqual(browser.violations(page), [])

    def test_does_not_move_while_it_loads(self):
        self.assertLess(browser.shift(self.open()), 0.01)

    def test_is_laid_out_in_lines_on_paper_and_in_small_windows(self):
        page = self.open()
        display = f"getComputedStyle(document.querySelector(\"{ROWS}\")).display"
        self.assertEqual(page.evaluate(display), "grid")
        page.emulate_media(media="print")
        self.assertEqual(page.evaluate(display), "block")
        self.assertEqual(len(page.evaluate(SEEN)), 500)
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": 600, "height": 800})
        self.assertEqual(page.evaluate(display), "block")

    def test_shows_what_is_found_in_steps(self):
        page = self.open_live()
        page.evaluate(
            f"""() => {{
                window.steps = [];
                new MutationObserver((records) => {{
                    const rows = records.flatMap((record) => [...record.addedNodes])
                        .filter((node) => node.nodeType === 1)
                        .flatMap((node) => node.getAttribute("id")?.startsWith("r-") ? [node] : [...node.querySelectorAll("{ROWS}")]);
                    if (rows.length) steps.push(rows.length);
                }}).observe(document.querySelector("main"), {{ childList: true, subtree: true }});
            }}"""
        )
        page.locator("input[type=search]").focus()
        page.keyboard.type("heron")
        page.wait_for_url("**q=heron*")
        page.wait_for_function(f"document.querySelectorAll(\"{ROWS}\").length === 500")
        steps = page.evaluate("steps")
        self.assertLessEqual(max(steps), 50)
        self.assertEqual(sum(steps), 500)
        self.assertEqual(page.evaluate(IDS), [f"r-{number}" for number in range(1, 1000, 2)])
        self.assertEqual(page.evaluate("document.activeElement.name"), "q")
        page.wait_for_selector("#live:not([hidden])")
        self.assertEqual(page.errors, [])

    def test_is_whole_when_a_person_goes_on_typing_while_rows_come(self):
        page = self.open_live()
        page.locator("input[type=search]").focus()
        page.keyboard.type("f")
        page.wait_for_url("**q=f*")
        page.keyboard.type("alcon")
        page.wait_for_url("**q=falcon*")
        page.wait_for_function(f"document.querySelectorAll(\"{ROWS}\").length === 500")
        page.wait_for_timeout(500)
        self.assertEqual(page.evaluate(IDS), [f"r-{number}" for number in range(2, 1001, 2)])
        self.assertEqual(page.errors, [])

    def test_follows_the_list(self):
        page = self.open_live()
        for number in (3, 1, 450):
            self.service.send("DELETE", f"/wide/{number}")
        self.service.send("PATCH", "/wide/2", {"name": "Kestrel"})
        page.wait_for_selector("#list :text('Kestrel')")
        page.wait_for_function(f"document.querySelector(\"{ROWS}:last-of-type\").id === 'r-503'")
        wanted = [f"r-{number}" for number in range(1, 504) if number not in (1, 3, 450)]
        self.assertEqual(page.evaluate(IDS), wanted)
        self.assertLess(len(page.evaluate(SEEN)), 100)
        self.assertEqual(page.errors, [])


class ScreenReaderTests(LargePage):
    # A browser that no screen reader asks does not name what is not seen.
    arguments = ("--force-renderer-accessibility",)

    def test_every_cell_has_its_role(self):
        page = self.open()
        session = page.context.new_cdp_session(page)
        session.send("Accessibility.enable")
        page.wait_for_timeout(1000)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        roles = [node["role"]["value"] for node in nodes if not node.get("ignored")]
        wanted = {"grid": 1, "row": 501, "columnheader": COLUMNS + 1, "rowheader": 500,
                  "gridcell": 500 * COLUMNS}
        self.assertEqual({role: roles.count(role) for role in wanted}, wanted)


if __name__ == "__main__":
    unittest.main()
