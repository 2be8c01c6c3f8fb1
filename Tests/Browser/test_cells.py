"""Cells are edited like those of a spreadsheet, and nothing that a person typed is lost."""

import json
import os
import tempfile
import unittest

import browser
from service import Service

LONG = "A long text that goes on. " * 20

ROW = {
    "id": 1, "name": "first", "text": "one", "long": LONG, "age": 42, "large": 9007199254740993,
    "weight": 1.5, "day": "2024-02-29", "time": "2024-02-29T10:30:00Z", "active": True,
    "mail": "a@b.example", "site": "https://a.example/x",
}

#: What a person types into the cell of each type, and what is stored then.
TYPED = {
    "text": ("else", "else"), "long": ("short", "short"), "age": ("43", 43), "large": ("5", 5),
    "weight": ("2.25", 2.25), "day": ("2025-01-31", "2025-01-31"),
    "time": ("2025-01-31T08:00:00Z", "2025-01-31T08:00:00Z"), "active": ("no", False),
    "mail": ("d@e.example", "d@e.example"), "site": ("https://b.example/", "https://b.example/"),
}


class CellTests(browser.BrowserTests):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="roster-browser-")
        self.addCleanup(folder.cleanup)
        things = os.path.join(folder.name, "things.json")
        rows = [{**ROW, "id": id, "name": f"name {id:02}", "age": id} for id in range(1, 31)]
        with open(things, "w", encoding="utf-8") as file:
            json.dump(rows, file)
        self.service = Service(
            things, "--database", os.path.join(folder.name, "cells.sqlite"),
            "--allow-anonymous-writes",
        ).__enter__()
        self.addCleanup(self.service.__exit__)
        self.page = self.open()

    def open(self, path="/things?limit=10", **options):
        page = self.browser.page(**options)
        page.set_default_timeout(5000)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        page.wait_for_selector("#live:not([hidden])")
        return page

    def tearDown(self):
        self.assertEqual(self.page.errors, [])

    def cells(self, id=1):
        return self.service.json(f"/things/{id}.json")["row"]["cells"]

    def cell(self, column, id=1):
        return self.page.locator(f"#r-{id} > :nth-child({self.index(column)})")

    def index(self, column):
        heads = self.page.locator("thead th").evaluate_all("all => all.map((head) => head.dataset.c)")
        return heads.index(column) + 1

    def go(self, column, id=1):
        """Puts the cursor on a cell, beside a link that a click would follow."""
        self.cell(column, id).click(position={"x": 2, "y": 2})
        self.assertEqual(self.place(), (str(id), column))

    def prepare(self, column, id=1):
        """Puts the cursor on a cell, and lets the page read what an edit of its row needs."""
        self.go(column, id)
        self.page.keyboard.press("F2")
        self.page.wait_for_selector("#list [data-cell]")
        self.page.keyboard.press("Escape")

    def place(self):
        """The row and the column of the focus."""
        return tuple(self.page.evaluate(
            """() => {
                const cell = document.activeElement.closest("#list tr > *");
                const head = cell && document.querySelectorAll("thead th")[cell.cellIndex];
                return [cell?.parentElement.id.slice(2) ?? "", head?.dataset.c ?? ""];
            }"""
        ))

    def told(self, text):
        self.page.wait_for_function(
            "(text) => document.querySelector('#toast')?.textContent.startsWith(text)", arg=text
        )

    def wait_for(self, column, value, id=1):
        for _ in range(200):
            if self.cells(id)[column] == value:
                return
            self.page.wait_for_timeout(25)
        self.assertEqual(self.cells(id)[column], value)

    def type(self, column, typed, id=1):
        self.go(column, id)
        self.page.keyboard.press("F2")
        field = self.page.locator("#list [data-cell]")
        if column == "active":
            field.select_option(label=typed)
        else:
            field.fill(typed)
        self.page.keyboard.press("Enter")

    def take_back(self):
        self.page.keyboard.press("Control+z")
        self.told("Undone")
        self.page.evaluate("document.querySelector('#toast').remove()")

    def do_again(self):
        self.page.keyboard.press("Control+y")
        self.told("Done again")
        self.page.evaluate("document.querySelector('#toast').remove()")

    def test_each_type_is_edited_taken_back_and_done_again(self):
        first = before = self.cells()
        for column, (typed, value) in TYPED.items():
            self.type(column, typed)
            self.told("Saved")
            self.assertEqual(self.cells(), {**before, column: value})
            self.assertEqual(self.place(), ("2", column))
            self.take_back()
            self.assertEqual(self.cells(), before, column)
            self.do_again()
            before = self.cells()
            self.assertEqual(before[column], value)
        self.assertEqual(self.place()[0], "2")
        for _ in TYPED:
            self.take_back()
        self.assertEqual(self.cells(), first)

    def test_each_type_keeps_what_was_typed_while_the_network_is_broken(self):
        before = self.cells()
        for column, (typed, value) in TYPED.items():
            self.type(column, typed, 2)
            self.wait_for(column, value, 2)
        self.page.go_back()
        self.page = self.open()
        self.prepare("text")
        self.page.context.set_offline(True)
        for column, (typed, value) in TYPED.items():
            self.type(column, typed)
            self.told("Not saved: The server does not respond.")
            cell = self.cell(column)
            self.assertEqual(cell.inner_text().strip(), "false" if column == "active" else typed)
            self.assertEqual(cell.get_attribute("aria-invalid"), "true")
            self.assertIn("Not saved", cell.get_attribute("title"))
        self.assertEqual(self.cells(), before)
        self.page.context.set_offline(False)
        self.page.get_by_role("button", name="Retry").click()
        self.told("Saved")
        for column, (typed, value) in TYPED.items():
            self.wait_for(column, value)
        self.page.wait_for_selector("#list [aria-invalid]", state="detached")
        for _ in TYPED:
            self.page.locator("body").press("Control+z")
            self.told("Undone")
            self.page.evaluate("document.querySelector('#toast').remove()")
        self.assertEqual(self.cells(), before)

    def test_what_is_not_saved_outlives_back_and_a_reload(self):
        self.page.locator(".pages [rel=next]").click()
        self.page.wait_for_url("**after=*")
        self.page.go_back()
        self.page.wait_for_selector("#r-1")
        self.prepare("age")
        self.page.context.set_offline(True)
        self.type("age", "77")
        self.told("Not saved")
        self.page.context.set_offline(False)
        self.page.go_forward()
        self.page.wait_for_selector("#r-11")
        self.assertTrue(self.page.locator("#toast button", has_text="Retry").is_visible())
        self.page.go_back()
        self.page.wait_for_selector("#r-1 [aria-invalid]")
        asked = []
        self.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        self.page.reload()
        self.assertEqual(asked, ["beforeunload"])
        self.page.wait_for_selector("#r-1 [aria-invalid]")
        self.assertEqual(self.cell("age").inner_text(), "77")
        self.page.get_by_role("button", name="Retry").click()
        self.told("Saved")
        self.assertEqual(self.cells()["age"], 77)
        self.page.locator("body").press("Control+z")
        self.told("Undone")
        self.assertEqual(self.cells()["age"], 1)

    def test_back_saves_the_field_that_is_open(self):
        self.page.locator(".pages [rel=next]").click()
        self.page.wait_for_selector("#r-11")
        self.go("text", 11)
        self.page.keyboard.type("typed")
        self.page.wait_for_selector("#list [data-cell]")
        self.page.go_back()
        self.page.wait_for_selector("#r-1")
        self.wait_for("text", "typed", 11)

    def test_a_refused_value_stays_with_the_reason_until_it_is_discarded(self):
        self.type("age", "many")
        self.told("Not saved: This takes a whole number")
        self.assertEqual(self.cell("age").inner_text(), "many")
        self.assertEqual(browser.violations(self.page), [])
        self.go("age")
        self.page.keyboard.press("F2")
        self.assertEqual(self.page.locator("#list [data-cell]").input_value(), "many")
        self.page.keyboard.press("Escape")
        self.assertEqual(self.place(), ("1", "age"))
        self.assertEqual(self.cell("age").inner_text(), "many")
        self.page.get_by_role("button", name="Discard").click()
        self.page.wait_for_selector("#list [aria-invalid]", state="detached")
        self.assertEqual(self.cell("age").inner_text(), "1")
        self.type("age", "8")
        self.told("Saved")
        self.take_back()
        self.assertEqual(self.cells()["age"], 1)

    def test_an_error_of_the_server_loses_nothing(self):
        self.prepare("text")
        self.page.route("**/things/1", lambda route: route.fulfill(status=503, json={"title": "Busy", "detail": "Busy now."}))
        self.type("text", "kept")
        self.told("Not saved: Busy now.")
        self.page.unroute("**/things/1")
        self.page.get_by_role("button", name="Retry").click()
        self.told("Saved")
        self.assertEqual(self.cells()["text"], "kept")

    def test_two_writers_of_one_cell_lose_nothing(self):
        self.prepare("age")
        self.service.send("PATCH", "/things/1", {"text": "theirs"})
        self.type("age", "5")
        self.told("Saved")
        self.assertEqual((self.cells()["text"], self.cells()["age"]), ("theirs", 5))
        self.page.wait_for_selector("#list [data-unsaved]", state="detached")
        self.go("age")
        self.page.keyboard.press("F2")
        field = self.page.locator("#list [data-cell]")
        field.fill("7")
        self.service.send("PATCH", "/things/1", {"age": 6})
        field.press("Enter")
        self.told("Not saved: Another writer has changed this to 6.")
        self.assertEqual((self.cell("age").inner_text(), self.cells()["age"]), ("7", 6))
        self.page.get_by_role("button", name="Retry").click()
        self.told("Saved")
        self.assertEqual(self.cells()["age"], 7)
        self.page.locator("body").press("Control+z")
        self.told("Undone")
        self.assertEqual(self.cells()["age"], 6)

    def test_a_slow_save_shows_what_was_typed(self):
        self.prepare("age")
        waiting = []
        self.page.route("**/things/1", lambda route: waiting.append(route))
        self.type("age", "5")
        self.page.wait_for_selector("#r-1 [aria-busy]")
        self.assertEqual(self.cell("age").inner_text(), "5")
        self.assertEqual(self.place(), ("2", "age"))
        self.page.keyboard.type("6")
        self.page.wait_for_selector("#list [data-cell]")
        waiting[0].continue_()
        self.told("Saved")
        self.assertEqual(self.page.locator("#list [data-cell]").input_value(), "6")
        self.page.keyboard.type("7")
        self.page.unroute("**/things/1")
        self.page.keyboard.press("Enter")
        self.wait_for("age", 67, 2)
        self.wait_for("age", 5)

    def test_goes_from_cell_to_cell(self):
        press = self.page.keyboard.press
        self.page.locator("main [name=q]").focus()
        for _ in range(40):
            press("Tab")
            if self.place()[1]:
                break
        self.assertEqual(self.place(), ("1", "name"))
        press("ArrowDown")
        press("ArrowRight")
        press("ArrowRight")
        self.assertEqual(self.place(), ("2", "long"))
        press("End")
        self.assertEqual(self.place(), ("2", "id"))
        press("Control+End")
        self.assertEqual(self.place(), ("10", "id"))
        press("ArrowDown")
        self.assertEqual(self.place(), ("10", "id"))
        press("Control+Home")
        press("ArrowUp")
        self.assertEqual(self.place(), ("", ""))
        press("ArrowRight")
        self.assertEqual(self.place(), ("", "name"))
        press("Enter")
        self.assertEqual(self.page.evaluate("document.activeElement.tagName"), "A")
        press("ArrowRight")
        self.assertEqual(self.page.evaluate("document.activeElement.className"), "cm")
        press("Escape")
        press("ArrowDown")
        self.assertEqual(self.place(), ("1", "name"))
        press("Tab")
        self.assertFalse(self.page.evaluate("document.querySelector('#list').contains(document.activeElement)"))
        press("Shift+Tab")
        self.assertEqual(self.place(), ("1", "name"))
        press("Shift+Tab")
        self.assertFalse(self.page.evaluate("document.querySelector('#list').contains(document.activeElement)"))
        self.assertEqual(browser.violations(self.page), [])

    def test_opens_saves_and_cancels_by_keys(self):
        press = self.page.keyboard.press
        self.go("text")
        press("Enter")
        self.page.wait_for_selector("#list [data-cell]")
        self.page.keyboard.type(" more")
        press("Tab")
        self.told("Saved")
        self.assertEqual(self.cells()["text"], "one more")
        self.assertEqual(self.place(), ("1", "long"))
        self.go("text")
        self.page.keyboard.type("joke")
        self.assertEqual(self.page.locator("#list [data-cell]").input_value(), "joke")
        press("Escape")
        self.assertEqual(self.place(), ("1", "text"))
        self.assertEqual(self.cells()["text"], "one more")
        press("Escape")
        self.go("name")
        press("x")
        self.assertTrue(self.page.locator("#r-1 [name=id]").is_checked())
        press("x")
        press("ArrowLeft")
        press("Space")
        self.assertTrue(self.page.locator("#r-1 [name=id]").is_checked())
        press("Space")
        self.go("name")
        press("Enter")
        self.page.wait_for_selector("#panel h1")
        press("Escape")
        self.page.wait_for_selector("#panel", state="detached")
        self.assertEqual(self.place(), ("1", "name"))

    def test_a_key_is_not_edited(self):
        self.prepare("age")
        self.go("id")
        for key in ("F2", "Delete"):
            self.page.keyboard.press(key)
        self.told("This cannot be changed here.")
        self.cell("id").dblclick(position={"x": 2, "y": 2})
        self.assertEqual(self.page.locator("#list [data-cell]").count(), 0)
        before = self.cells()
        self.page.context.set_offline(True)
        self.page.keyboard.press("Delete")
        self.page.keyboard.press("Control+z")
        self.page.context.set_offline(False)
        self.page.go_back()
        self.assertEqual(self.cells(), before)

    def test_copies_and_pastes_ranges(self):
        page, press = self.page, self.page.keyboard.press
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        before = [self.cells(id) for id in (1, 2, 3)]
        self.prepare("age", 2)
        self.prepare("age")
        press("Shift+ArrowDown")
        press("Shift+ArrowRight")
        press("Shift+ArrowRight")
        self.assertEqual(page.locator("#list [aria-selected]").count(), 6)
        self.assertEqual(browser.violations(page), [])
        press("Control+c")
        large = "9007199254740993"
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), f"1\t{large}\t1.5\n2\t{large}\t1.5")
        page.evaluate("navigator.clipboard.writeText('5\\t6\\t7.5\\r\\n8\\t9\\t10\\r\\n')")
        self.go("age", 2)
        press("Control+v")
        self.told("Saved")
        values = [[self.cells(id)[name] for name in ("age", "large", "weight")] for id in (2, 3)]
        self.assertEqual(values, [[5, 6, 7.5], [8, 9, 10]])
        self.assertEqual(self.place(), ("2", "age"))
        self.take_back()
        self.assertEqual([self.cells(id) for id in (1, 2, 3)], before)
        self.do_again()
        self.assertEqual(self.cells(3)["weight"], 10)
        self.take_back()
        page.evaluate("navigator.clipboard.writeText('\"two\\nlines\"\\t\"a \"\"quoted\"\" text\"')")
        self.go("text")
        press("Control+v")
        self.told("Saved")
        self.assertEqual((self.cells()["text"], self.cells()["long"]), ("two\nlines", 'a "quoted" text'))
        self.take_back()
        self.assertEqual(self.cells(), before[0])

    def test_a_paste_is_written_whole_or_stays_unsaved(self):
        page, press = self.page, self.page.keyboard.press
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.evaluate("navigator.clipboard.writeText('5\\nmany\\n7')")
        self.go("age")
        press("Control+v")
        self.told("Not saved")
        self.assertEqual([self.cells(id)["age"] for id in (1, 2, 3)], [1, 2, 3])
        self.assertEqual(page.locator("#list [aria-invalid]").all_inner_texts(), ["5", "many", "7"])
        self.assertIn("whole number", self.cell("age", 2).get_attribute("title"))
        self.type("age", "6", 2)
        self.wait_for("age", 6, 2)
        page.get_by_role("button", name="Retry").click()
        self.wait_for("age", 7, 3)
        page.evaluate("navigator.clipboard.writeText('1\\n2\\n3')")
        self.go("age", 9)
        press("Control+v")
        self.told("This cannot be changed here.")
        self.assertEqual(self.cells(9)["age"], 9)

    def test_clears_fills_and_cuts(self):
        page, press = self.page, self.page.keyboard.press
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        before = [self.cells(id) for id in range(1, 5)]
        for column in TYPED:
            self.go(column)
            press("Delete")
            self.told("Saved")
            self.assertIsNone(self.cells()[column], column)
            self.assertEqual(self.place(), ("1", column))
            self.take_back()
            self.assertEqual(self.cells(), before[0], column)
        self.go("age")
        for _ in range(3):
            press("Shift+ArrowDown")
        press("Control+d")
        self.told("Saved")
        self.assertEqual([self.cells(id)["age"] for id in range(1, 5)], [1] * 4)
        self.take_back()
        self.go("age", 4)
        press("Control+d")
        self.told("Saved")
        self.assertEqual(self.cells(4)["age"], 3)
        self.take_back()
        self.assertEqual([self.cells(id) for id in range(1, 5)], before)
        self.go("text", 2)
        press("Control+x")
        self.told("Saved")
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), "one")
        self.assertIsNone(self.cells(2)["text"])

    def test_the_cursor_stays_when_rows_change_and_move(self):
        self.page = self.open("/things?sort=age&limit=20")
        self.go("age", 5)
        self.service.send("PATCH", "/things/5", {"age": 12})
        self.page.wait_for_selector("#news:not([hidden])")
        self.page.locator("#news").click()
        self.page.wait_for_function("document.querySelector('#r-12').rowIndex > document.querySelector('#r-6').rowIndex + 5")
        self.page.wait_for_function("document.activeElement.closest('#r-5')")
        self.assertEqual(self.place(), ("5", "age"))
        self.service.send("DELETE", "/things/5")
        self.page.wait_for_selector("#news:not([hidden])")
        self.page.locator("#news").click()
        self.page.wait_for_selector("#r-5", state="detached")
        self.page.wait_for_function("document.activeElement.closest('#list')")
        self.assertEqual(self.place()[1], "age")

    def test_readers_have_the_cursor_and_edit_nothing(self):
        folder = tempfile.TemporaryDirectory(prefix="roster-browser-")
        self.addCleanup(folder.cleanup)
        things = os.path.join(folder.name, "things.json")
        with open(things, "w", encoding="utf-8") as file:
            json.dump([ROW, {**ROW, "id": 2}], file)
        self.service = Service(things).__enter__()
        self.addCleanup(self.service.__exit__)
        self.page = self.open("/things")
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        # A click opens the row here.
        self.page.locator("#list th[scope=row]").first.focus()
        for _ in range(self.page.locator("thead th[data-c=age]").evaluate("head => head.cellIndex")):
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Control+c")
        self.assertEqual(self.page.evaluate("navigator.clipboard.readText()"), "42")
        self.page.keyboard.press("F2")
        self.page.keyboard.press("Delete")
        self.told("This cannot be changed here.")
        self.page.keyboard.press("s")
        self.assertTrue(self.page.evaluate("document.activeElement.closest('details').open"))
        self.assertEqual(browser.violations(self.page), [])


if __name__ == "__main__":
    unittest.main()
