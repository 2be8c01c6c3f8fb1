"""The edit form keeps what a person leaves alone, and merges what two have written."""

import json
import unittest

import browser
from service import Service

#: Values that a browser would change if a form showed them in the wrong field.
ROW = {
    "id": 1,
    "note": "one\ntwo\n\nfour",
    "windows": "one\r\ntwo\r\n",
    "mixed": "a\rb\r\nc\nd\n\n",
    "first": "\n\nbegins with breaks",
    "empty": "",
    "missing": None,
    "spaced": "  tab\t and spaces  ",
    "markup": "<b>&amp;\"'</b></textarea>",
    "mail": "a+b@c.example",
    "site": "HTTPS://A.example/x?y=%41#z",
    "day": "2024-02-29",
    "active": True,
    "age": 42,
    "weight": 1.5,
    "large": 9007199254740993,
}


class FormTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        things = cls.file("things.json")
        # A second row, so that the column without a value is one of texts.
        other = {**ROW, "id": 2, "missing": "text"}
        with open(things, "w", encoding="utf-8") as file:
            json.dump([ROW, other], file)
        cls.serve(Service(
            things, "--database", cls.file("forms.sqlite"), "--allow-anonymous-writes",
        ))

    def setUp(self):
        self.service.send("PATCH", "/things/1", {k: v for k, v in ROW.items() if k != "id"})

    def open(self, width=1280, theme="light", script=True):
        page = self.browser.page(width, theme, script)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + "/things/1/-/edit")
        return page

    def save(self, page):
        page.get_by_role("button", name="Save").click()

    def row(self):
        return self.service.json("/things/1.json")["row"]

    def assert_good(self, page):
        self.assertEqual(
            browser.violations(page) + browser.overflow(page) + browser.small_targets(page)
            + page.errors,
            [],
        )

    def test_saving_without_typing_changes_nothing(self):
        before = self.row()
        for script in (True, False):
            page = self.open(script=script)
            self.save(page)
            self.assertTrue(page.url.split("?")[0].endswith("/things"), page.inner_text("main"))
            self.assertEqual(self.row(), before)

    def test_an_edited_text_keeps_its_line_breaks(self):
        page = self.open()
        for name in ("note", "windows"):
            page.locator(f"[name={name}]").press("Control+End")
            page.keyboard.type("end")
        page.locator("[name=missing]").fill("first\nsecond")
        self.save(page)
        cells = self.row()["cells"]
        self.assertEqual(cells["note"], "one\ntwo\n\nfourend")
        self.assertEqual(cells["windows"], "one\r\ntwo\r\nend")
        self.assertEqual(cells["missing"], "first\nsecond")
        self.assertEqual(cells["mixed"], ROW["mixed"])

    def test_a_person_sets_an_empty_text_and_no_value(self):
        page = self.open()
        boxes = page.locator("[name=form__empty]")
        self.assertEqual(
            boxes.evaluate_all("boxes => boxes.filter((box) => box.checked).map((b) => b.value)"),
            ["empty"],
        )
        page.locator("[name=form__empty][value=empty]").uncheck()
        page.locator("[name=note]").fill("")
        page.locator("[name=form__empty][value=note]").check()
        page.locator("[name=windows]").fill("")
        self.save(page)
        cells = self.row()["cells"]
        self.assertIsNone(cells["empty"])
        self.assertEqual(cells["note"], "")
        self.assertIsNone(cells["windows"])

    #: What a person types into the cell of each column.
    TYPED = {
        "note": "else", "windows": "else", "first": "else", "empty": "filled", "missing": "filled",
        "spaced": "else", "mail": "d@e.example", "site": "https://b.example/", "day": "2025-01-31",
        "active": "false", "age": "43", "weight": "2.5", "large": "5",
    }

    def test_undo_restores_the_cell_of_each_type(self):
        page = self.browser.page()
        self.addCleanup(page.context.close)
        page.goto(self.service.base + "/things")
        page.wait_for_selector("#live:not([hidden])")
        for column, typed in self.TYPED.items():
            before = self.service.get("/things/1.json")[1].split('"cells":')[1]
            at = page.locator(f"thead th[data-c={column}]").evaluate("head => head.cellIndex")
            cell = page.locator("#r-1 > *").nth(at)
            # Beside a link, which a click would follow.
            cell.dblclick(position={"x": 2, "y": 2})
            field = cell.locator(f"[name={column}]")
            if column == "active":
                field.select_option(typed)
            else:
                field.fill(typed)
            field.press("Enter")
            page.wait_for_function("document.querySelector('#toast')?.textContent.startsWith('Saved')")
            self.assertNotEqual(self.row()["cells"][column], ROW[column], column)
            page.get_by_role("button", name="Undo").click()
            page.wait_for_function("document.querySelector('#toast')?.textContent === 'Undone'")
            self.assertEqual(self.service.get("/things/1.json")[1].split('"cells":')[1], before, column)
            page.evaluate("document.querySelector('#toast').remove()")
        self.assertEqual(page.errors, [])

    def test_undo_is_refused_after_another_has_written(self):
        page = self.browser.page()
        self.addCleanup(page.context.close)
        page.goto(self.service.base + "/things")
        page.wait_for_selector("#live:not([hidden])")
        cell = page.locator("#r-1 [data-l=Age]")
        cell.dblclick()
        cell.locator("[name=age]").fill("43")
        cell.locator("[name=age]").press("Enter")
        page.wait_for_function("document.querySelector('#toast')?.textContent.startsWith('Saved')")
        self.service.send("PATCH", "/things/1", {"age": 44})
        page.get_by_role("button", name="Undo").click()
        page.wait_for_function("document.querySelector('#toast')?.textContent.includes('could not be undone')")
        self.assertEqual(self.row()["cells"]["age"], 44)

    def test_a_form_that_is_left_is_asked_about_and_offered_again(self):
        page = self.open()
        page.locator("[name=note]").fill("typed")
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        page.goto(self.service.base + "/things")
        page.go_back()
        page.wait_for_selector(".draft")
        self.assertEqual(asked, ["beforeunload"])
        self.assertEqual(page.locator("[name=note]").input_value(), "typed")
        self.assert_good(page)
        page.get_by_role("button", name="Discard").click()
        self.assertEqual(page.locator("[name=note]").input_value(), ROW["note"])
        page.locator("[name=note]").fill("again")
        page.reload()
        self.assertEqual(page.locator("[name=note]").input_value(), "again")
        self.save(page)
        self.assertEqual(self.row()["cells"]["note"], "again")
        page.goto(self.service.base + "/things/1/-/edit")
        self.assertEqual(page.locator(".draft").count(), 0)

    def test_a_form_that_cannot_be_sent_keeps_what_was_typed(self):
        page = self.open()
        page.locator("[name=note]").fill("typed")
        page.context.set_offline(True)
        with page.expect_event("requestfailed"):
            self.save(page)
        page.context.set_offline(False)
        page.goto(self.service.base + "/things/1/-/edit")
        self.assertEqual(page.locator("[name=note]").input_value(), "typed")
        page.locator("[name=age]").fill("many")
        self.save(page)
        page.wait_for_selector("[aria-invalid]")
        self.assertEqual(page.locator(".draft").count(), 0)
        self.service.send("PATCH", "/things/1", {"weight": 7.5})
        page.locator("[name=age]").fill("3")
        page.reload()
        self.assertEqual(page.locator("[name=age]").input_value(), "3")
        self.save(page)
        page.wait_for_selector("text=this is the new value")
        self.save(page)
        cells = self.row()["cells"]
        self.assertEqual((cells["note"], cells["age"], cells["weight"]), ("typed", 3, 7.5))

    def test_a_form_of_a_new_row_is_offered_again(self):
        page = self.open()
        page.goto(self.service.base + "/things/-/new")
        page.locator("[name=note]").fill("new")
        page.get_by_role("link", name="Cancel").click()
        page.wait_for_url("**/things")
        page.go_back()
        page.wait_for_selector(".draft")
        self.assertEqual(page.locator("[name=note]").input_value(), "new")
        page.get_by_role("button", name="Add").click()
        page.wait_for_selector("#live:not([hidden])")
        page.goto(self.service.base + "/things/-/new")
        self.assertEqual(page.locator("[name=note]").input_value(), "")

    def test_two_writers_are_merged_and_the_person_chooses(self):
        for width, theme in ((320, "dark"), (1280, "light")):
            for choice in ("Save the value above", "Keep the new value"):
                self.setUp()
                page = self.open(width, theme)
                self.service.send("PATCH", "/things/1", {
                    "note": "theirs\nin two lines", "windows": "taken", "age": 43,
                })
                page.locator("[name=note]").fill("mine")
                page.locator("[name=spaced]").fill("only mine")
                self.save(page)
                self.assertEqual(page.locator("[name=note]").input_value(), "mine")
                self.assertEqual(page.locator("[name=windows]").input_value(), "taken")
                self.assertEqual(page.locator("[name=age]").input_value(), "43")
                self.assertIn("theirs\nin two lines", page.locator("fieldset").inner_text())
                self.assertEqual(page.get_by_text("this is the new value").count(), 2)
                self.assert_good(page)
                self.save(page)
                self.assertIn("Choose between the two values", page.inner_text("main"))
                self.assertEqual(self.row()["cells"]["note"], "theirs\nin two lines")
                page.get_by_label(choice).check()
                self.save(page)
                cells = self.row()["cells"]
                mine = choice.startswith("Save")
                self.assertEqual(cells["note"], "mine" if mine else "theirs\nin two lines")
                self.assertEqual(
                    (cells["windows"], cells["age"], cells["spaced"]), ("taken", 43, "only mine")
                )


if __name__ == "__main__":
    unittest.main()
