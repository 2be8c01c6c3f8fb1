"""The page follows its list: what is written elsewhere appears here, and nobody is disturbed."""

import json
import os
import random
import tempfile
import unittest

import browser
from service import NAMES, Service, write_people

ROWS = "#list [id^='r-']"


class LiveTests(browser.BrowserTests):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="roster-browser-")
        self.addCleanup(folder.cleanup)
        people = os.path.join(folder.name, "people.csv")
        write_people(people, 60)
        self.service = Service(
            f"people={people}", "--group-by", "people=city",
            "--database", os.path.join(folder.name, "lists.sqlite"),
            "--allow-writes", "--allow-anonymous-writes",
        ).__enter__()
        self.addCleanup(self.service.__exit__)

    def open(self, path):
        page = self.browser.page()
        page.goto(self.service.base + path)
        page.wait_for_selector("#live:not([hidden])")
        self.addCleanup(page.context.close)
        return page

    def shown(self, page):
        """The rows as a person sees them."""
        return page.eval_on_selector_all(ROWS, "rows => rows.map((row) => row.innerText)")

    def fresh(self, path):
        """The rows as a page shows them that is loaded now."""
        page = self.browser.page(script=False)
        page.goto(self.service.base + path)
        texts = page.eval_on_selector_all(
            ROWS, "rows => rows.map((row) => row.innerText)"
        )
        page.context.close()
        return texts

    def assert_same(self, page, path):
        for _ in range(100):
            fresh = self.fresh(path)
            if self.shown(page) == fresh:
                return
            page.wait_for_timeout(100)
        self.assertEqual(self.shown(page), self.fresh(path))

    def test_shows_what_another_has_written(self):
        path = "/people?group=none&sort=name&limit=20"
        page = self.open(path)
        self.service.send("POST", "/people", {"name": "Aaron First", "city": "Oslo"})
        page.wait_for_selector("#list :text('Aaron First')")
        row = page.locator(f"{ROWS}:has-text('Aaron First')")
        address = row.locator("a").first.get_attribute("href")
        self.service.send("PATCH", address, {"name": "Aaron Changed"})
        page.wait_for_selector("#list :text('Aaron Changed')")
        self.service.send("DELETE", address)
        page.wait_for_selector("#list :text('Aaron Changed')", state="detached")
        self.assert_same(page, path)
        self.assertEqual(page.errors, [])

    def test_a_table_equals_a_fresh_load_after_many_changes(self):
        self.change_at_random("/people?sort=name&limit=30")

    def test_cards_equal_a_fresh_load_after_many_changes(self):
        self.change_at_random("/people?sort=name&limit=30&layout=grid")

    def test_first_rows_of_sections_equal_a_fresh_load_after_many_changes(self):
        self.change_at_random("/people?sort=name&per_section=3")

    def change_at_random(self, path):
        changes = int(os.environ.get("ROSTER_TEST_CHANGES", "60"))
        page = self.open(path)
        chance = random.Random(20261121)
        ids = [row["id"] for row in self.service.json("/people.json?limit=500&group=none")["sections"][0]["rows"]]
        for step in range(changes):
            act = chance.random()
            city = chance.choice(["Berlin", "Oslo", "Paris", "Lisbon", "Rome", None])
            if act < 0.35 or not ids:
                name = f"{chance.choice(NAMES)} {step}"
                _, text = self.service.send("POST", "/people", {"name": name, "city": city})
                ids.append(json.loads(text)["row"]["id"])
            elif act < 0.6:
                self.service.send("DELETE", f"/people/{ids.pop(chance.randrange(len(ids)))}")
            else:
                row = {"name": f"{chance.choice(NAMES)} {step}", "city": city}
                self.service.send("PATCH", f"/people/{chance.choice(ids)}", row)
        self.assert_same(page, path)
        self.assertEqual(page.errors, [])

    def test_waits_while_a_person_is_at_a_row_and_keeps_focus_and_scroll(self):
        path = "/people?group=none&sort=name&limit=50"
        page = self.open(path)
        link = page.locator(f"{ROWS} a").nth(20)
        link.focus()
        before = page.evaluate("[scrollY, document.activeElement.href]")
        self.service.send("POST", "/people", {"name": "Aaron First", "city": "Oslo"})
        page.wait_for_selector("#news:not([hidden])")
        self.assertEqual(page.locator("#list :text('Aaron First')").count(), 0)
        self.assertEqual(page.evaluate("[scrollY, document.activeElement.href]"), before)
        top = link.evaluate("link => link.getBoundingClientRect().top")
        page.keyboard.press("r")
        page.wait_for_selector("#list :text('Aaron First')", state="attached")
        self.assertEqual(page.evaluate("document.activeElement.href"), before[1])
        now = link.evaluate("link => link.getBoundingClientRect().top")
        if before[0]:
            self.assertAlmostEqual(now, top, delta=1)
        self.assert_same(page, path)

    def test_says_that_the_connection_is_lost_and_goes_on_when_it_is_back(self):
        path = "/people?group=none&sort=name&limit=20"
        page = self.open(path)
        self.assertIn("Live", page.inner_text("#live"))
        self.service.process.terminate()
        self.service.process.wait(timeout=20)
        page.wait_for_selector("#live.bad")
        self.assertEqual(page.locator(ROWS).count(), 20)
        port = self.service.base.rpartition(":")[2]
        arguments = [*self.service.arguments, "--port", port]
        with Service(*arguments) as again:
            page.wait_for_selector("#live:not(.bad)")
            again.send("POST", "/people", {"name": "Aaron First", "city": "Oslo"})
            page.wait_for_selector("#list :text('Aaron First')")

    def test_loads_a_page_that_cannot_be_followed_once_and_then_rarely(self):
        page = self.browser.page()
        self.addCleanup(page.context.close)
        loads = []
        page.on("request", lambda request: request.resource_type == "fetch" and loads.append(request.url))
        page.route(
            lambda address: "since=" in address,
            lambda route: route.fulfill(content_type="text/event-stream", body="event: reset\ndata: {}\n\n"),
        )
        page.goto(self.service.base + "/people")
        page.wait_for_selector("#live:not([hidden])")
        page.wait_for_timeout(2000)
        self.assertEqual(loads, [self.service.base + "/people"])

    def test_finds_while_a_person_types(self):
        page = self.open("/people?group=none")
        field = page.locator("input[type=search]")
        field.focus()
        page.keyboard.type("grace")
        page.wait_for_url("**q=grace*")
        texts = self.shown(page)
        self.assertTrue(texts and all("Grace" in text for text in texts), texts)
        self.assertEqual(page.evaluate("document.activeElement.name"), "q")
        self.assertEqual(field.input_value(), "grace")


if __name__ == "__main__":
    unittest.main()
