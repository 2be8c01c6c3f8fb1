"""A file is dropped or chosen, looked at, and only then imported."""

import unittest

import browser
from service import Service, write_people

FILE = "id,name,city,age,born\n501,Ida,Oslo,31,1990-01-02\n502,Jon,,,\n503,Kari,Paris,44,1980-12-31\n"


class ImportTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 60)
        cls.serve(Service(
            f"people={people}", "--database", cls.file("import.sqlite"), "--allow-anonymous-writes",
        ))

    def open(self, script=True, **options):
        page = self.browser.page(script=script, **options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + "/people")
        if script:
            page.wait_for_selector("#live:not([hidden])")
        return page

    def count(self):
        return self.service.json("/people.json?limit=1")["total"]["value"]

    def send(self, page, name, content, choice=None):
        page.locator("[data-key=i] > summary").click()
        form = page.locator("[data-key=i] form")
        form.locator("[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content.encode()})
        if choice:
            form.locator("select").select_option(choice)
        form.locator("button").click()

    def forget(self):
        for id in (501, 502, 503):
            if self.service.get(f"/people/{id}.json")[0] == 200:
                self.service.send("DELETE", f"/people/{id}")

    def test_shows_a_file_before_it_is_imported(self):
        for script in (True, False):
            page = self.open(script)
            before = self.count()
            self.send(page, "more.csv", FILE)
            page.wait_for_selector(".lead:has-text('Checked; nothing is written yet')")
            heads = page.locator(".wide th").all_inner_texts()
            self.assertEqual([head.split("\n")[0] for head in heads], ["id", "name", "city", "age", "born"])
            self.assertIn("whole number", heads[3])
            self.assertIn("date", heads[4])
            self.assertEqual(page.locator(".wide tbody tr").nth(0).locator("td").all_inner_texts()[1:3], ["Ida", "Oslo"])
            self.assertEqual(self.count(), before)
            if script:
                self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
            page.get_by_role("button", name="Import 3 rows").click()
            page.wait_for_selector(".lead:has-text('Done')")
            self.assertEqual(self.count(), before + 3)
            page.locator("main .ways a").click()
            page.wait_for_url("**/people")
            self.forget()

    def test_shows_what_is_wrong_with_a_file(self):
        page = self.open()
        before = self.count()
        self.send(page, "bad.csv", "id,nmae,age\n501,Ida,many\n")
        page.wait_for_selector(".lead:has-text('Failed')")
        faults = page.locator(".faults").inner_text()
        self.assertIn("Line 1", faults)
        self.assertIn("name", faults)
        self.assertIn("Line 2, character 9", faults)
        self.assertIn("not in the list", page.locator(".wide th").nth(1).inner_text())
        self.assertEqual(page.get_by_role("button", name="Import").count(), 0)
        self.assertEqual(self.count(), before)

    def test_finds_rows_that_exist_before_it_writes(self):
        page = self.open()
        city = self.service.json("/people/7.json")["row"]["cells"]["city"]
        self.send(page, "old.csv", "id,city\n7,Bergen\n")
        page.wait_for_selector(".lead:has-text('Failed')")
        self.assertIn("Line 2", page.locator(".faults").inner_text())
        page.go_back()
        self.send(page, "old.csv", "id,city\n7,Bergen\n", "merge")
        page.wait_for_selector(".lead:has-text('Checked')")
        self.assertEqual(self.service.json("/people/7.json")["row"]["cells"]["city"], city)
        page.get_by_role("button", name="Import 1 row").click()
        page.wait_for_selector(".lead:has-text('Done')")
        self.assertEqual(self.service.json("/people/7.json")["row"]["cells"]["city"], "Bergen")

    def test_takes_a_dropped_file(self):
        page = self.open()
        page.evaluate(
            """(text) => {
                const data = new DataTransfer();
                data.items.add(new File([text], "dropped.csv", { type: "text/csv" }));
                const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
                document.querySelector("#list").dispatchEvent(drop);
            }""",
            FILE,
        )
        page.wait_for_selector(".lead:has-text('Checked')")
        self.assertEqual(page.errors, [])

    def test_refuses_other_files(self):
        page = self.open()
        self.send(page, "picture.png", "x")
        self.assertIn("picture.png", page.locator(".lead").inner_text())

    def test_speaks_german(self):
        page = self.open(locale="de-DE")
        self.send(page, "mehr.csv", FILE)
        page.wait_for_selector(".lead:has-text('Geprüft')")
        self.assertTrue(page.get_by_role("button", name="3 Zeilen importieren").is_visible())


if __name__ == "__main__":
    unittest.main()
