"""A person makes a list of a file, or of columns, on the overview."""

import unittest

import browser
from service import Service

FILE = "name,city,age\nIda,Oslo,31\nJon,,\nKari,Paris,44\n"


class CreationTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.serve(Service("--database", cls.file("lists.sqlite"), "--allow-anonymous-writes"))

    def open(self, script=True, **options):
        page = self.browser.page(script=script, **options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + "/")
        page.locator("[data-key=i] > summary").click()
        return page

    def send(self, page, name, content):
        form = page.locator("[data-key=i] form").nth(0)
        form.locator("[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content.encode()})
        form.locator("button").click()

    def test_makes_a_list_of_a_file_that_was_looked_at(self):
        for script in (True, False):
            page = self.open(script)
            self.send(page, "people of town.csv", FILE)
            page.wait_for_selector("h1:has-text('New list')")
            self.assertEqual(page.get_by_label("Name of the list").input_value(), "people of town")
            self.assertEqual(page.locator(".wide tbody td").all_inner_texts()[:3], ["Ida", "Oslo", "31"])
            self.assertEqual(page.get_by_label("Type of age").input_value(), "integer")
            if script:
                self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
            page.get_by_label("Name of the list").fill("a/b")
            page.get_by_role("button", name="Create").click()
            self.assertIn("a/b", page.get_by_role("alert").inner_text())
            page.get_by_label("Name of the list").fill(f"people {script}")
            page.get_by_label("Type of age").select_option("text")
            page.get_by_label("Key").select_option("name")
            page.get_by_role("button", name="Create").click()
            page.wait_for_url("**/people*")
            self.assertEqual(page.locator("#list tbody tr").count(), 3)
            columns = self.service.json(f"/people%20{script}/-/schema")["columns"]
            self.assertEqual([column["type"] for column in columns], ["text", "text", "text"])

    def test_makes_a_list_of_columns(self):
        page = self.open()
        self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
        form = page.locator("[data-key=i] form").nth(1)
        form.get_by_label("Name of the list").fill("tasks")
        form.locator("[name=column]").nth(0).fill("task")
        form.locator("[name=column]").nth(2).fill("due")
        form.locator("[name=type]").nth(2).select_option("date")
        form.get_by_role("button").click()
        page.wait_for_url("**/tasks")
        self.assertIn("Add the first row", page.locator(".empty").inner_text())
        columns = self.service.json("/tasks/-/schema")["columns"]
        self.assertEqual([(column["id"], column["type"]) for column in columns], [("task", "text"), ("due", "date")])

    def test_shows_what_is_wrong_with_a_file(self):
        page = self.open()
        self.send(page, "bad.csv", "a,b\n1,2\n1,2,3\n")
        self.assertIn("Line 3", page.locator(".faults").inner_text())

    def test_speaks_german(self):
        page = self.open(locale="de-DE")
        self.send(page, "mehr.csv", FILE)
        page.wait_for_selector("h1:has-text('Neue Liste')")
        self.assertTrue(page.get_by_role("button", name="Anlegen").is_visible())


if __name__ == "__main__":
    unittest.main()
