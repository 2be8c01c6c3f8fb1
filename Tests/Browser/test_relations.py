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
                INSERT INTO customers VALUES (7, 'Ada <b>', 'Oslo'), (8, 'Grace', 'Paris');
                INSERT INTO orders VALUES (1, 7, 12.5), (2, 8, 3), (3, 7, 1045.25), (4, NULL, 2);
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
            self.assertEqual(page.locator(".rel .n").inner_text(), "2")
            page.get_by_role("link", name="Orders", exact=True).last.click()
            page.wait_for_url("**/orders?*customer_id=7*")
            self.assertEqual(page.locator("#list tbody tr").count(), 2)
            self.assertIn("Customer id is 7", page.locator(".chips").inner_text())
            self.assertEqual(page.errors, [])


if __name__ == "__main__":
    unittest.main()
