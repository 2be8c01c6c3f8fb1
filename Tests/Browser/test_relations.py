"""A person follows a foreign key to the row it names, and from there to the rows that refer to it."""

import sqlite3
import unittest

import browser
from service import Service


class RelationTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shop = cls.file("shop.db")
        with sqlite3.connect(shop) as database:
            database.executescript(
                """
                CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
                CREATE TABLE orders (
                    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total REAL
                );
                CREATE TABLE visits (
                    customer_id INTEGER REFERENCES customers(id), order_id INTEGER REFERENCES orders(id),
                    PRIMARY KEY (customer_id, order_id)
                );
                INSERT INTO customers VALUES (7, 'Ada <b>', 'Oslo'), (8, 'Grace', 'Paris');
                INSERT INTO orders VALUES (1, 7, 12.5), (2, 8, 3), (3, 7, 1045.25), (4, NULL, 2);
                INSERT INTO visits VALUES (7, 1), (8, 1), (8, 2);
                """
            )
        cls.serve(Service(shop))

    def test_follows_a_key_and_returns_by_the_related_rows(self):
        for script in (True, False):
            page = self.browser.page(script=script)
            self.addCleanup(page.context.close)
            page.goto(self.service.base + "/orders?sort=id")
            cell = page.locator("#list td a", has_text="Ada <b>").first
            # A label is a text, although the keys are numbers.
            self.assertEqual(cell.evaluate("link => getComputedStyle(link.parentElement).textAlign"), "start")
            cell.click()
            page.wait_for_url("**/customers/7")
            self.assertEqual(page.locator("h1").inner_text(), "Ada <b>")
            self.assertEqual(browser.violations(page) if script else [], [])
            self.assertEqual(page.locator(".rel .n").first.inner_text(), "2")
            page.locator(".rel").get_by_role("link", name="Orders", exact=True).first.click()
            page.wait_for_url("**/orders?*customer_id=7*")
            self.assertEqual(page.locator("#list tbody tr").count(), 2)
            self.assertIn("Customer is Ada <b>", page.locator(".chips").inner_text())
            page.locator(".chip summary").click()
            self.assertEqual(page.locator(".chip form p.n").inner_text(), "7: Ada <b>")
            self.assertEqual(page.errors, [])

    def test_follows_a_key_in_the_first_column_and_opens_the_row_beside_it(self):
        for width in (1280, 390):
            page = self.browser.page(width)
            self.addCleanup(page.context.close)
            page.goto(self.service.base + "/visits")
            page.wait_for_selector("#live:not([hidden])")
            self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
            row = page.locator("#list tbody tr").nth(1)
            row.get_by_role("link", name="Open row 8,1").click()
            if width > 960:
                page.wait_for_selector("#panel h1")
                self.assertEqual(page.locator("#list [aria-current] th a").last.inner_text(), "Grace")
                page.keyboard.press("j")
                page.wait_for_url("**/visits/8,2")
                page.keyboard.press("Escape")
                page.wait_for_selector("#panel", state="detached")
            else:
                page.wait_for_url("**/visits/8,1")
                page.go_back()
            row.get_by_role("link", name="Grace").click()
            page.wait_for_url("**/customers/8")
            self.assertEqual(page.locator("h1").inner_text(), "Grace")
            self.assertEqual(page.errors, [])


if __name__ == "__main__":
    unittest.main()
