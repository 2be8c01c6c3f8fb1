"""Fields offer the values that they take: rows of other lists, choices, few texts."""

import os
import sqlite3
import tempfile
import unittest

import browser
from service import Service


class PickerTests(browser.BrowserTests):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="roster-browser-")
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "music.db")
        with sqlite3.connect(path) as database:
            database.executescript(
                """
                CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
                CREATE TABLE album (
                    album_id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artist,
                    state TEXT CHECK (state IN ('new', 'sold', 'gone')), shelf TEXT, made DATE
                );
                """
            )
            names = ["Abba", "Beatles", "Can", *(f"Zebra {number:03}" for number in range(200))]
            database.executemany("INSERT INTO artist VALUES (?, ?)", enumerate(names, 1))
            database.executemany(
                "INSERT INTO album VALUES (?, ?, 1, 'new', ?, '2024-02-29')",
                [(number, f"Album {number}", "AB"[number % 2]) for number in range(1, 9)],
            )
        self.service = Service(path, "--allow-anonymous-writes").__enter__()
        self.addCleanup(self.service.__exit__, None, None, None)

    def open(self, path, **options):
        page = self.browser.page(**options)
        page.set_default_timeout(5000)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        self.addCleanup(lambda: self.assertEqual(page.errors, []))
        return page

    def cells(self, id=1):
        return self.service.json(f"/album/{id}.json")["row"]["cells"]

    def test_a_form_finds_a_row_of_the_other_list_by_its_label(self):
        page = self.open("/album/1/-/edit")
        field = page.locator("[name=artist_id]")
        self.assertEqual(field.input_value(), "1")
        self.assertEqual(page.locator("dd:has([name=artist_id]) p.n").inner_text(), "Abba")
        self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
        field.fill("")
        field.press_sequentially("zebra 150")
        page.wait_for_selector("datalist option[value='154']", state="attached")
        field.press("Tab")
        self.assertEqual(field.input_value(), "154")
        self.assertEqual(page.locator("dd:has([name=artist_id]) p.n").inner_text(), "Zebra 150")
        page.locator("[name=state]").select_option("sold")
        page.get_by_role("button", name="Save").click()
        page.wait_for_url("**/album*")
        self.assertEqual((self.cells()["artist_id"], self.cells()["state"]), (154, "sold"))

    def test_a_form_works_without_script(self):
        page = self.open("/album/1/-/edit", script=False)
        self.assertEqual(page.locator("#o-artist_id option").first.text_content(), "Abba")
        self.assertEqual(page.locator("#o-shelf option").evaluate_all("all => all.map((o) => o.value)"), ["A", "B"])
        page.locator("[name=artist_id]").fill("2")
        page.locator("[name=shelf]").fill("another")
        page.locator("[name=state]").select_option("")
        page.get_by_role("button", name="Save").click()
        cells = self.cells()
        self.assertEqual((cells["artist_id"], cells["shelf"], cells["state"]), (2, "another", None))
        page = self.open("/album/-/new", script=False)
        labels = [label.strip() for label in page.locator("dt label").all_inner_texts()]
        self.assertEqual(labels.count("Album id") + labels.count("ID (made if empty)"), 1)
        page.locator("[name=title]").fill("Fresh")
        page.locator("main form .go").click()
        self.assertEqual(self.cells(9)["title"], "Fresh")

    def edit(self, page, column):
        page.locator(f"#r-1 [data-l='{column}']").dblclick()
        page.wait_for_selector("[data-cell]")
        return page.locator("[data-cell]")

    def test_cells_take_labels_and_choices_and_are_undone(self):
        page = self.open("/album")
        page.wait_for_selector("#live:not([hidden])")
        page.locator("#r-1 [data-l=Artist]").click(position={"x": 2, "y": 2})
        page.keyboard.press("F2")
        page.wait_for_selector("[data-cell]")
        page.keyboard.type("Bea")
        page.wait_for_function("[...document.querySelector('[data-cell]').list.options].some((o) => o.label === 'Beatles')")
        page.keyboard.press("Enter")
        page.wait_for_selector("#r-1 td a:text('Beatles')")
        self.assertEqual(self.cells()["artist_id"], 2)
        page.locator("#toast").get_by_role("button", name="Undo").click()
        page.wait_for_selector("#r-1 td a:text('Abba')")
        self.assertEqual(self.cells()["artist_id"], 1)
        self.edit(page, "State").select_option("gone")
        page.keyboard.press("Enter")
        page.wait_for_selector("#r-1 :text('gone')")
        page.keyboard.press("Control+z")
        page.wait_for_selector("#r-1 [data-l=State]:text('new')")
        self.assertEqual(self.cells()["state"], "new")

    def test_a_bulk_edit_has_the_field_of_its_column_and_is_undone(self):
        page = self.open("/album")
        page.wait_for_selector("#live:not([hidden])")
        for id in (1, 2):
            page.locator(f"#r-{id} [name=id]").check()
        page.locator("#act summary", has_text="Edit").click()
        page.locator("#act [name=form__column]").select_option("state")
        page.locator("#act select[name=form__value]").select_option("sold")
        page.locator("#act").get_by_role("button", name="Save").click()
        page.wait_for_selector("#r-2 :text('sold')")
        self.assertEqual([self.cells(id)["state"] for id in (1, 2, 3)], ["sold", "sold", "new"])
        page.locator("#toast").get_by_role("button", name="Undo").click()
        page.wait_for_selector("#r-2 [data-l=State]:text('new')")

    def test_a_condition_finds_a_row_by_its_label(self):
        page = self.open("/album")
        page.locator("[data-key=f] summary").click()
        form = page.locator("[data-key=f] form").first
        form.locator("[name=form__column]").first.select_option("artist_id")
        form.locator("[name=form__is]").first.select_option("eq")
        form.locator("[name=form__value]").first.press_sequentially("Abba")
        page.wait_for_selector("#c-artist_id option[value='1']", state="attached")
        form.locator("[name=form__value]").first.press("Enter")
        page.wait_for_url("**/album?artist_id__eq=1")
        self.assertIn("Artist is Abba", page.locator(".chips").inner_text())
        page.go_back()
        page.wait_for_url("**/album")


if __name__ == "__main__":
    unittest.main()
