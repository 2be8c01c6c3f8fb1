"""A row opens beside its list, is edited there or in its cell, and every change can be taken back."""

import json
import unittest

import browser
from service import Service, write_people

ROWS = "#list [id^='r-']"


class RowTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 120)
        cls.serve(Service(
            f"people={people}", "--database", cls.file("rows.sqlite"), "--allow-anonymous-writes",
        ))

    def open(self, path="/people?sort=name&city=Oslo", script=True, **options):
        page = self.browser.page(script=script, **options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        if script:
            page.wait_for_selector("#live:not([hidden])")
        return page

    def open_row(self, page, at=0):
        link = page.locator(f"{ROWS} th a").nth(at)
        address = link.get_attribute("href")
        link.click()
        page.wait_for_selector("#panel h1")
        page.wait_for_url(f"**{address}")
        return address

    def cells(self, address):
        return self.service.json(f"{address}.json")["row"]["cells"]

    def test_opens_beside_the_list_with_its_own_address(self):
        page = self.open()
        self.open_row(page)
        first = page.locator("#panel h1").inner_text()
        self.assertIn(first, page.locator(ROWS).first.inner_text())
        page.keyboard.press("j")
        page.wait_for_function("(first) => document.querySelector('#panel h1').innerText !== first", arg=first)
        second = page.locator("#panel h1").inner_text()
        self.assertIn(second, page.locator(ROWS).nth(1).inner_text())
        page.get_by_role("button", name="Previous row").click()
        page.wait_for_function("(first) => document.querySelector('#panel h1').innerText === first", arg=first)
        self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
        page.reload()
        self.assertEqual(page.locator("h1").inner_text(), first)
        page.go_back()
        page.wait_for_url("**/people?sort=name&city=Oslo")
        page.wait_for_selector("#live:not([hidden])")
        page.go_forward()
        page.wait_for_selector(f"#panel h1:has-text('{first}')")
        page.go_back()
        page.wait_for_selector("#panel", state="detached")
        self.assertTrue(page.locator(ROWS).first.is_visible())
        self.assertEqual(page.errors, [])

    def test_shows_the_row_that_was_opened_last(self):
        page = self.open()
        links = page.locator(f"{ROWS} th a")
        slow, fast = links.nth(10).get_attribute("href"), links.nth(11).get_attribute("href")
        held = []
        page.route(f"**{slow}", lambda route: held.append(route))
        with page.expect_request(f"**{slow}"):
            links.nth(10).click()
        links.nth(11).click()
        page.wait_for_url(f"**{fast}")
        title = page.locator("#panel h1").inner_text()
        for route in held:
            route.continue_()
        page.unroute(f"**{slow}")
        page.go_back()
        page.wait_for_url("**/people?sort=name&city=Oslo")
        with page.expect_request(f"**{fast}"):
            links.nth(11).click()
        page.wait_for_selector(f"#panel h1:has-text('{title}')")
        self.assertTrue(page.url.endswith(fast))
        self.assertEqual(page.errors, [])

    def test_closes_by_escape_and_by_back(self):
        page = self.open()
        for close in (lambda: page.keyboard.press("Escape"), page.go_back,
                      lambda: page.get_by_role("button", name="Close").click()):
            self.open_row(page, 2)
            close()
            page.wait_for_selector("#panel", state="detached")
            page.wait_for_url("**/people?sort=name&city=Oslo")
            self.assertEqual(page.evaluate("document.activeElement.closest('tr').rowIndex"), 3)

    def test_saves_takes_back_and_stays_in_its_place(self):
        page = self.open()
        page.evaluate("document.querySelector('.wide').scrollTo(0, 300)")
        address = self.open_row(page, 12)
        before = self.cells(address)
        page.locator("#panel [data-act=edit]").click()
        field = page.locator("#panel [name=notes]")
        field.fill("Changed here")
        page.locator("#panel").get_by_role("button", name="Save").click()
        page.wait_for_selector("#toast")
        self.assertEqual(self.cells(address)["notes"], "Changed here")
        page.wait_for_selector("#panel dd:text('Changed here')")
        self.assertGreater(page.evaluate("document.querySelector('.wide').scrollTop"), 100)
        page.get_by_role("button", name="Undo").click()
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Undone'")
        self.assertEqual(self.cells(address), before)
        self.assertEqual(page.errors, [])

    def test_edits_the_row_of_the_focus_by_a_key(self):
        page = self.open()
        for _ in range(3):
            page.keyboard.press("j")
        row = page.evaluate("document.activeElement.closest('tr').id")
        page.keyboard.press("e")
        field = page.locator("#panel form[data-purpose=edit] [name=notes]")
        field.fill("By a key")
        field.press("Control+Enter")
        page.wait_for_selector("#toast")
        self.assertEqual(self.cells(f"/people/{row[2:]}")["notes"], "By a key")
        self.assertEqual(page.errors, [])

    def test_can_be_edited_without_scrolling(self):
        page = self.open()
        address = self.open_row(page, 2)
        for path in (None, address):
            if path:
                page.goto(self.service.base + path)
            edit, last = page.locator("[data-act=edit]"), page.locator("dl.row > div").last
            self.assertLess(edit.bounding_box()["y"], 160)
            self.assertLess(edit.bounding_box()["y"], last.bounding_box()["y"])

    def test_a_form_beside_the_list_loses_nothing(self):
        page = self.open()
        address = self.open_row(page, 6)
        before = self.cells(address)
        page.locator("#panel [data-act=edit]").click()
        page.locator("#panel [name=notes]").fill("Typed")
        for leave in (lambda: page.keyboard.press("Escape"), page.go_back):
            leave()
            page.wait_for_selector("#panel", state="detached")
            self.open_row(page, 6)
            page.locator("#panel [data-act=edit]").click()
            page.wait_for_selector("#panel .draft")
            self.assertEqual(page.locator("#panel [name=notes]").input_value(), "Typed")
        self.assertEqual(browser.violations(page), [])
        page.context.set_offline(True)
        page.locator("#panel").get_by_role("button", name="Save").click()
        page.wait_for_selector("#toast:has-text('Not saved: The server does not respond.')")
        self.assertEqual(page.locator("#panel [name=notes]").input_value(), "Typed")
        page.context.set_offline(False)
        page.route("**/-/edit*", lambda route: route.fulfill(status=503, content_type="text/html", body="<p class=lead>Busy now.</p>")
                   if route.request.method == "POST" else route.continue_())
        page.get_by_role("button", name="Retry").click()
        page.wait_for_selector("#toast:has-text('Not saved: Busy now.')")
        page.unroute("**/-/edit*")
        page.get_by_role("button", name="Retry").click()
        page.wait_for_function("document.querySelector('#toast')?.textContent.startsWith('Saved')")
        self.assertEqual(self.cells(address), {**before, "notes": "Typed"})
        page.locator("body").press("Control+z")
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Undone'")
        self.assertEqual(self.cells(address), before)
        page.locator("body").press("Control+y")
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Done again'")
        self.assertEqual(self.cells(address)["notes"], "Typed")
        self.assertEqual(page.errors, [])

    def test_deletes_and_takes_back(self):
        page = self.open()
        address = self.open_row(page, 3)
        before = self.cells(address)
        page.locator("#panel [data-act=delete]").click()
        page.locator("#panel").get_by_role("button", name="Delete").click()
        page.wait_for_selector("#toast")
        self.assertEqual(self.service.get(f"{address}.json")[0], 404)
        page.get_by_role("button", name="Undo").click()
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Undone'")
        self.assertEqual(self.cells(address), before)
        page.locator("body").press("Control+y")
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Done again'")
        self.assertEqual(self.service.get(f"{address}.json")[0], 404)
        page.locator("body").press("Control+z")
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Undone'")
        self.assertEqual(self.cells(address), before)
        self.assertEqual(page.errors, [])

    def test_adds_a_row_beside_the_list(self):
        page = self.open()
        add = page.get_by_role("link", name="Add")
        for close in (lambda: page.keyboard.press("Escape"), page.go_back,
                      lambda: page.locator("#panel").get_by_role("link", name="Cancel").click()):
            add.focus()
            page.keyboard.press("Enter")
            page.wait_for_selector("#panel form")
            page.wait_for_url("**/people/-/new*")
            self.assertIn(page.evaluate("document.activeElement.name"), ("id", "name"))
            close()
            page.wait_for_selector("#panel", state="detached")
            page.wait_for_url("**/people?sort=name&city=Oslo")
            self.assertEqual(page.evaluate("document.activeElement.textContent"), "Add")
        add.click()
        page.locator("#panel [name=age]").fill("many")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("#panel .failed")
        self.assertEqual(browser.violations(page), [])
        page.locator("#panel [name=name]").fill("Zenobia New")
        page.locator("#panel [name=age]").fill("33")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("#toast:has-text('Added')")
        page.wait_for_url("**/people?sort=name&city=Oslo")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Add")
        self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
        show = page.locator("#toast").get_by_role("link", name="Show")
        address = show.evaluate("link => link.pathname")
        self.assertEqual(self.cells(address)["age"], 33)
        show.click()
        page.wait_for_selector("#panel h1:has-text('Zenobia New')")
        page.go_back()
        page.wait_for_selector("#panel", state="detached")
        page.locator("body").press("Control+z")
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Undone'")
        self.assertEqual(self.service.get(f"{address}.json")[0], 404)
        page.locator("body").press("Control+y")
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Done again'")
        self.assertEqual(self.cells(address)["name"], "Zenobia New")
        page.locator("body").press("Control+z")
        page.wait_for_function("document.querySelector('#toast')?.textContent === 'Undone'")
        self.assertEqual(self.service.get(f"{address}.json")[0], 404)
        self.assertEqual(page.errors, [])

    def test_adds_a_row_without_a_script(self):
        page = self.open(script=False)
        page.get_by_role("link", name="Add").click()
        page.locator("[name=name]").fill("Zenobia Plain")
        page.get_by_role("button", name="Add").click()
        self.assertEqual(page.locator(".note").inner_text(), "Added · Show")
        page.locator(".note").get_by_role("link", name="Show").click()
        self.assertIn("Zenobia Plain", page.locator("h1").inner_text())
        self.service.send("DELETE", "/people/" + page.url.rsplit("/", 1)[1])

    def test_merges_what_another_has_written_meanwhile(self):
        page = self.open()
        address = self.open_row(page, 5)
        page.locator("#panel [data-act=edit]").click()
        page.locator("#panel [name=notes]").fill("mine")
        self.service.send("PATCH", address, {"notes": "theirs", "age": 77})
        page.locator("#panel").get_by_role("button", name="Save").click()
        page.get_by_label("Save the value above").check()
        self.assertEqual(page.locator("#panel [name=age]").input_value(), "77")
        self.assertEqual(browser.violations(page), [])
        page.locator("#panel").get_by_role("button", name="Save").click()
        page.wait_for_selector("#toast")
        cells = self.cells(address)
        self.assertEqual((cells["notes"], cells["age"]), ("mine", 77))

    def test_edits_a_cell_in_its_place(self):
        page = self.open()
        address = page.locator(f"{ROWS} th a").nth(4).get_attribute("href")
        cell = page.locator(ROWS).nth(4).locator("[data-l=Age]")
        cell.dblclick()
        field = cell.locator("[name=age]")
        field.fill("44")
        field.press("Escape")
        self.assertNotEqual(self.cells(address)["age"], 44)
        cell.dblclick()
        field.fill("44")
        field.press("Enter")
        page.wait_for_selector("#toast")
        self.assertEqual(self.cells(address)["age"], 44)
        cell = page.locator(ROWS).nth(4).locator("[data-l=Age]")
        self.assertEqual(cell.inner_text(), "44")
        cell.dblclick()
        cell.locator("[name=age]").fill("many")
        cell.locator("[name=age]").press("Enter")
        page.wait_for_selector("#toast:has-text('Not saved: This takes a whole number')")
        self.assertEqual((cell.inner_text(), cell.get_attribute("aria-invalid")), ("many", "true"))
        self.assertEqual(self.cells(address)["age"], 44)
        self.assertEqual(page.errors, [])

    def test_returns_to_the_page_of_the_list_without_a_script(self):
        page = self.open("/people?sort=name&limit=25&page=2", script=False)
        page.locator(f"{ROWS} th a").nth(1).click()
        title = page.locator("h1").inner_text()
        page.get_by_role("link", name="Edit").click()
        self.assertIn(title, page.locator("h1").inner_text())
        page.locator("[name=notes]").fill("Changed without a script")
        page.get_by_role("button", name="Save").click()
        self.assertIn("/people?sort=name&limit=25&page=2", page.url)
        self.assertEqual(page.locator(".note").inner_text(), "Saved")
        self.assertIn("Changed without a script", page.locator(ROWS).nth(1).inner_text())

    def test_copies_chosen_rows(self):
        page = self.open()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        rows = page.locator(ROWS)
        rows.nth(1).locator("[data-l=City]").click(modifiers=["Control"])
        rows.nth(3).locator("[data-l=City]").click(modifiers=["Shift"])
        self.assertIn("3", page.locator("#act > span").inner_text())
        ids = page.locator("#list [data-chosen]").evaluate_all("rows => rows.map((row) => row.id.slice(2))")
        self.assertEqual(len(ids), 3)
        self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
        copied = {}
        for form in ("CSV", "Markdown", "JSON"):
            page.locator("#chosen").get_by_role("button", name=form).click()
            page.wait_for_selector(f"#chosen button:text('{form} ✓')")
            copied[form] = page.evaluate("navigator.clipboard.readText()")
        self.assertEqual([line.split(",")[0] for line in copied["CSV"].split()][0], "id")
        self.assertEqual(len(copied["CSV"].strip().splitlines()), 4)
        self.assertEqual({str(row["id"]) for row in json.loads(copied["JSON"])}, set(ids))
        self.assertEqual(len(copied["Markdown"].splitlines()), 5)
        rows.nth(2).locator("th a").focus()
        page.keyboard.press("x")
        self.assertIn("2", page.locator("#act > span").inner_text())
        self.assertEqual(page.errors, [])


if __name__ == "__main__":
    unittest.main()
