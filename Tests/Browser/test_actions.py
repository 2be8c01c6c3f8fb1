"""Rows are put in order, finished and dropped, by pointer, by keyboard and without a script."""

import os
import unittest

import browser
from service import ROOT, Service

ROWS = "#list [id^='r-']"
EXAMPLE = os.environ.get("BROWSER_EXAMPLE", str(ROOT / ".build/debug/BrowserExample"))


class ActionTests(browser.BrowserTests):
    def setUp(self):
        self.service = Service(program=EXAMPLE).__enter__()
        self.addCleanup(self.service.__exit__)

    def open(self, path="/tasks", script=True):
        page = self.browser.page(script=script)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        if script:
            page.wait_for_selector("#live:not([hidden])")
        return page

    def order(self):
        answer = self.service.json("/tasks.json")
        return [row["id"] for section in answer["sections"] for row in section["rows"]]

    def shown(self, page):
        return page.eval_on_selector_all(ROWS, "rows => rows.map((row) => row.id.slice(2))")

    def wait_for(self, page, order):
        page.wait_for_function(
            "(order) => [...document.querySelectorAll(\"#list [id^='r-']\")]"
            ".map((row) => row.id.slice(2)).join() === order",
            arg=",".join(order),
        )
        self.assertEqual(self.order(), order)

    def test_moves_by_buttons_without_a_script(self):
        page = self.open(script=False)
        page.locator("#r-3").get_by_label("Move up").click()
        self.assertEqual(self.shown(page), ["1", "3", "2", "4", "5", "6", "7", "8"])
        page.locator("#r-3").get_by_label("Move down").click()
        self.assertEqual(self.shown(page), ["1", "2", "3", "4", "5", "6", "7", "8"])
        page.locator("#r-1").get_by_label("Move up").click()
        self.assertEqual(self.shown(page), ["1", "2", "3", "4", "5", "6", "7", "8"])

    def test_moves_by_keyboard(self):
        page = self.open()
        page.locator("#r-8").get_by_label("Move up").focus()
        page.keyboard.press("Enter")
        self.wait_for(page, ["1", "2", "3", "4", "5", "6", "8", "7"])

    def test_moves_by_pointer(self):
        page = self.open()
        page.locator("#r-1 th").drag_to(page.locator("#r-4 th"), target_position={"x": 5, "y": 30})
        self.wait_for(page, ["2", "3", "4", "1", "5", "6", "7", "8"])
        self.assertEqual(page.errors, [])

    def test_moves_past_whoever_stands_there_by_now(self):
        page = self.open()
        self.service.send("POST", "/tasks/5/-/move", {"before": "1"})
        self.wait_for(page, ["5", "1", "2", "3", "4", "6", "7", "8"])
        page.locator("#r-1").get_by_label("Move up").focus()
        page.keyboard.press("Enter")
        self.wait_for(page, ["1", "5", "2", "3", "4", "6", "7", "8"])
        self.assertEqual(page.errors, [])

    def test_moves_by_pointer_what_has_just_arrived(self):
        page = self.open("/tasks?limit=3")
        self.service.send("POST", "/tasks/2/-/drop", {})
        page.wait_for_selector("#r-4")
        page.locator("#r-4 th").drag_to(page.locator("#r-1 th"), target_position={"x": 5, "y": 3})
        page.wait_for_function(
            "[...document.querySelectorAll(\"#list [id^='r-']\")][0].id === \"r-4\""
        )
        self.assertEqual(self.order(), ["4", "1", "3", "5", "6", "7", "8"])
        self.assertEqual(page.errors, [])

    def test_is_not_offered_in_another_order(self):
        page = self.browser.page()
        self.addCleanup(page.context.close)
        page.goto(self.service.base + "/tasks?sort=-title")
        self.assertEqual(page.locator("[data-move]").count(), 0)

    def test_asks_before_what_cannot_be_taken_back(self):
        page = self.open(script=False)
        page.locator("#r-2 summary").click()
        self.assertIn("Drop this task?", page.locator("#r-2").inner_text())
        page.locator("#r-2 details button").click()
        self.assertIn("Task 2: drop", page.locator(".note").inner_text())
        self.assertNotIn("2", self.order())

    def test_acts_on_chosen_rows_and_counts_them(self):
        page = self.open()
        page.get_by_label("Select Task 2").check()
        page.get_by_label("Select Task 5").click(modifiers=["Shift"])
        self.assertIn("4", page.locator("#act > span").inner_text())
        page.locator("#act > button", has_text="inish").click()
        self.wait_for(page, ["1", "6", "7", "8"])

    def test_acts_on_all_that_match(self):
        page = self.browser.page(script=False)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + "/tasks?title__in=Task%203,Task%204")
        page.locator("#act [name=all]").check()
        page.locator("#act > button", has_text="inish").click()
        self.assertEqual(self.order(), ["1", "2", "5", "6", "7", "8"])

    def test_is_accessible(self):
        page = self.open()
        page.locator("#r-2 summary").click()
        self.assertEqual(browser.violations(page) + browser.small_targets(page), [])


if __name__ == "__main__":
    unittest.main()
