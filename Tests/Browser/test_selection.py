"""A person changes, deletes, copies and exports the rows that are chosen, and takes it back."""

import json
import unittest

import browser
from service import Service, write_people

ROWS = "#list [id^='r-']"


class SelectionTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 120)
        cls.serve(Service(
            f"people={people}", "--database", cls.file("chosen.sqlite"), "--allow-anonymous-writes",
        ))

    def open(self, path="/people?sort=name&city=Oslo", script=True, **options):
        page = self.browser.page(script=script, **options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        if script:
            page.wait_for_selector("#live:not([hidden])")
        return page

    def rows(self):
        """All rows, by their ids."""
        lines = self.service.get("/people.ndjson")[1].splitlines()
        return {row["id"]: row for row in map(json.loads, lines)}

    def choose(self, page, first, last):
        """Chooses rows from one to another; returns their ids."""
        boxes = page.locator(f"{ROWS} [name=id]")
        boxes.nth(first).check()
        boxes.nth(last).click(modifiers=["Shift"])
        return [int(id) for id in page.locator("#list :checked").evaluate_all("all => all.map((box) => box.value)")]

    def set(self, page, column, value):
        page.locator("#act summary", has_text="Edit").click()
        page.locator("#act [name=form__column]").select_option(column)
        field = page.locator("#act [name=form__value]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
        page.locator("#act").get_by_role("button", name="Save").click()

    def delete(self, page):
        page.locator("#act summary", has_text="Delete").click()
        page.locator("#act details[open]").get_by_role("button", name="Delete").click()

    def take_back(self, page):
        page.get_by_role("button", name="Undo").click()
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Undone'")

    def test_changes_chosen_rows_and_takes_it_back(self):
        page = self.open()
        before = self.rows()
        chosen = self.choose(page, 2, 5)
        self.assertEqual(len(chosen), 4)
        self.assertEqual(page.locator("#act > span").inner_text(), "4 selected")
        self.set(page, "notes", "Together")
        page.wait_for_selector("#toast:has-text('4 changed')")
        after = self.rows()
        self.assertEqual({id for id, row in after.items() if row["notes"] == "Together"}, set(chosen))
        self.assertEqual(page.locator("#list :checked").count(), 0)
        self.take_back(page)
        self.assertEqual(self.rows(), before)
        page.locator("body").press("Control+y")
        page.wait_for_selector("#toast:has-text('Done again')")
        self.assertEqual(self.rows(), after)
        page.locator("body").press("Control+z")
        page.wait_for_selector("#toast:has-text('Undone')")
        self.assertEqual(self.rows(), before)
        self.assertEqual(page.errors, [])

    def test_deletes_chosen_rows_and_takes_it_back(self):
        page = self.open()
        before = self.rows()
        chosen = self.choose(page, 0, 2)
        self.delete(page)
        page.wait_for_selector("#toast:has-text('3 removed')")
        self.assertEqual(set(before) - set(self.rows()), set(chosen))
        self.take_back(page)
        self.assertEqual(self.rows(), before)
        self.assertEqual(page.errors, [])

    def test_changes_all_that_match(self):
        page = self.open("/people?city=Paris&age__gte=40&limit=5")
        before = self.rows()
        matching = {id for id, row in before.items() if row["city"] == "Paris" and (row["age"] or 0) >= 40}
        self.assertGreater(len(matching), 5)
        page.locator("#page").check()
        page.get_by_label(f"all {len(matching)} matching").check()
        self.set(page, "active", "")
        page.wait_for_selector("#toast")
        self.assertEqual({id for id, row in self.rows().items() if row["active"] is None}, matching)
        self.take_back(page)
        self.assertEqual(self.rows(), before)

    def test_refuses_all_or_nothing(self):
        page = self.open()
        before = self.rows()
        self.choose(page, 1, 2)
        self.set(page, "age", "many")
        page.wait_for_selector("#toast:has-text('nothing was written')")
        self.assertEqual(self.rows(), before)
        self.assertEqual(page.locator("#list :checked").count(), 2)

    def test_changes_and_deletes_without_a_script(self):
        page = self.open("/people?city=Lisbon&sort=name&limit=10", script=False)
        boxes = page.locator(f"{ROWS} [name=id]")
        boxes.nth(0).check()
        boxes.nth(3).check()
        ids = [int(boxes.nth(at).get_attribute("value")) for at in (0, 3)]
        self.set(page, "notes", "Without")
        self.assertIn("/people?sort=name&city=Lisbon&limit=10", page.url.replace("city=Lisbon&sort=name", "sort=name&city=Lisbon"))
        self.assertEqual(page.locator(".note").inner_text(), "2 changed")
        self.assertEqual([self.rows()[id]["notes"] for id in ids], ["Without"] * 2)
        for id in ids:
            page.locator(f"[name=id][value='{id}']").check()
        self.delete(page)
        self.assertEqual(page.locator(".note").inner_text(), "2 removed")
        self.assertEqual(set(ids) & set(self.rows()), set())

    def test_exports_and_copies_chosen_rows(self):
        page = self.open()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        chosen = self.choose(page, 1, 4)
        with page.expect_download() as download:
            page.locator("#chosen a").click()
        lines = open(download.value.path(), encoding="utf-8").read().strip().splitlines()
        self.assertEqual([int(line.split(",")[0]) for line in lines[1:]], chosen)
        page.locator("#chosen").get_by_role("button", name="Copy: JSON").click()
        page.wait_for_selector("#chosen button:text('JSON ✓')")
        copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
        self.assertEqual([row["id"] for row in copied], chosen)

    def test_the_selection_lasts_over_pages_and_is_told_in_questions(self):
        page = self.open("/people?sort=id&limit=10")
        before = self.rows()
        self.assertFalse(page.locator("#act").is_visible())
        page.locator("#page").check()
        self.assertEqual(page.locator("#act > span").inner_text(), "10 selected")
        page.locator(".pages [rel=next]").click()
        page.wait_for_url("**after=*")
        page.wait_for_selector("#page:not(:checked)")
        self.choose(page, 0, 1)
        self.assertEqual(page.locator("#act > span").inner_text(), "12 selected")
        self.assertTrue(page.locator("#page").evaluate("box => box.indeterminate"))
        page.go_back()
        page.wait_for_selector("#page:checked")
        page.locator(f"{ROWS} [name=id]").nth(9).uncheck()
        page.locator("#act summary", has_text="Delete").click()
        self.assertIn("Delete: 11 selected?", page.locator("#act details[open]").inner_text())
        page.locator("#act details[open]").get_by_role("button", name="Delete").click()
        page.wait_for_selector("#toast:has-text('11 removed')")
        self.assertEqual(len(self.rows()), len(before) - 11)
        self.assertFalse(page.locator("#act").is_visible())
        self.take_back(page)
        self.assertEqual(self.rows(), before)
        # Another question ends the selection.
        page.locator("#page").check()
        page.locator("[name=q]").fill("Ada")
        page.wait_for_url("**q=Ada*")
        page.wait_for_selector("#act:not([data-on])", state="attached")
        page.locator("#page").check()
        page.get_by_role("button", name="Select none").click()
        self.assertFalse(page.locator("#act").is_visible())
        self.assertEqual(page.errors, [])

    def test_a_retry_writes_the_rows_that_were_chosen(self):
        page = self.open("/people?sort=id&limit=10")
        before = self.rows()
        chosen = self.choose(page, 0, 2)
        page.context.set_offline(True)
        self.set(page, "notes", "Later")
        page.wait_for_selector("#toast:has-text('Not saved')")
        page.locator(f"{ROWS} [name=id]").nth(0).uncheck()
        page.context.set_offline(False)
        page.get_by_role("button", name="Retry").click()
        page.wait_for_selector("#toast:has-text('3 changed')")
        self.assertEqual({id for id, row in self.rows().items() if row["notes"] == "Later"}, set(chosen))
        self.take_back(page)
        self.assertEqual(self.rows(), before)

    def test_is_accessible_and_stays_in_the_window(self):
        for theme in ("light", "dark"):
            for width in (1280, 360):
                page = self.open(width=width, color_scheme=theme)
                self.choose(page, 0, 1)
                for menu in range(page.locator("#act details").count()):
                    page.locator("#act details").nth(menu).evaluate("menu => menu.open = true")
                    wrong = browser.violations(page) + browser.small_targets(page) + browser.overflow(page)
                    wrong = [line for line in wrong if "partially obscured" not in line]
                    self.assertEqual(wrong, [], (theme, width, menu))
                    self.assertGreaterEqual(page.locator("#act details[open] > div").bounding_box()["y"], 0)

    def test_says_that_deleted_rows_cannot_be_taken_back_if_others_have_their_ids(self):
        page = self.open(locale="de-DE")
        before = self.rows()
        box = page.locator(f"{ROWS} [name=id]").first
        box.check()
        id = int(box.get_attribute("value"))
        page.locator("#act summary", has_text="Löschen").click()
        self.assertFalse(page.locator("#act .once").is_visible())
        page.locator("#act details[open]").get_by_role("button", name="Löschen").click()
        page.wait_for_selector("#toast button")
        self.service.send("POST", "/people", {"id": id, "name": "Another"})
        page.locator("#toast button").click()
        page.wait_for_selector("#toast:has-text('nicht rückgängig')")
        self.service.send("PUT", f"/people/{id}", {
            key: value for key, value in before[id].items() if key not in ("id", "section")
        })

    def test_speaks_german(self):
        page = self.open(locale="de-DE")
        self.choose(page, 0, 1)
        self.assertEqual(page.locator("#act > span").inner_text(), "2 ausgewählt")
        page.locator("#act summary", has_text="Bearbeiten").click()
        page.locator("#act [name=form__column]").select_option("age")
        page.locator("#act [name=form__value]").fill("41")
        page.locator("#act").get_by_role("button", name="Speichern").click()
        page.wait_for_selector("#toast:has-text('2 geändert')")


if __name__ == "__main__":
    unittest.main()
