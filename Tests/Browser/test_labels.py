"""Rows are named by their labels: first in tables and cards, in titles, and where others name them."""

import sqlite3
import unittest

import browser
from service import Service


class LabelTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        music = cls.file("music.db")
        with sqlite3.connect(music) as database:
            database.executescript(
                """
                CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Country TEXT, Name TEXT);
                CREATE TABLE Album (
                    AlbumId INTEGER PRIMARY KEY, ArtistId INTEGER REFERENCES Artist, Title TEXT, Year INTEGER
                );
                CREATE TABLE Person (PersonId INTEGER PRIMARY KEY, LastName TEXT, FirstName TEXT, Title TEXT);
                CREATE TABLE Visit (
                    VisitId INTEGER PRIMARY KEY, PersonId INTEGER REFERENCES Person, Day DATE, Note TEXT
                );
                INSERT INTO Artist VALUES (3, 'SE', 'Abba'), (4, 'DE', 'Can');
                INSERT INTO Person VALUES (5, 'Lovelace', 'Ada', 'Countess');
                INSERT INTO Visit VALUES (9, 5, '2024-02-29', 'Came late');
                """
            )
            database.executemany(
                "INSERT INTO Album VALUES (?, ?, ?, ?)",
                [(10 + number, 3 if number < 7 else 4, f"Album {number}", 1970 + number) for number in range(8)],
            )
        cls.serve(Service(music, "--allow-anonymous-writes"))

    def open(self, path, **options):
        page = self.browser.page(**options)
        page.set_default_timeout(5000)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        self.addCleanup(lambda: self.assertEqual(page.errors, []))
        return page

    def test_tables_begin_with_labels_and_end_with_muted_ids(self):
        for script in (True, False):
            page = self.open("/Album", script=script)
            heads = page.locator("#list thead [data-c]").evaluate_all("all => all.map((one) => one.dataset.c)")
            self.assertEqual(heads, ["Title", "ArtistId", "Year", "AlbumId"])
            row = page.locator("#r-10")
            self.assertEqual(row.locator("th a").inner_text(), "Album 0")
            self.assertEqual(row.locator("td a", has_text="Abba").get_attribute("href"), "/Artist/3")
            self.assertTrue(row.locator("td").last.evaluate("cell => cell.matches('.id')"))
            self.assertTrue(page.locator("#list [data-c=ArtistId]").inner_text().startswith("Artist"))
            self.assertNotIn("ArtistId", page.locator("#list").inner_text())
        # A choice of columns wins, and other formats have the order of the table.
        page = self.open("/Album?columns=AlbumId,Title")
        self.assertEqual(page.locator("#r-10 th").inner_text(), "10")
        csv = self.service.get("/Album.csv?limit=1")[1]
        self.assertTrue(csv.startswith("AlbumId,ArtistId,Title,Year"), csv)

    def test_hiding_and_showing_a_column_returns_to_the_order_of_labels(self):
        page = self.open("/Album")
        page.locator("[data-key=c] summary").click()
        page.locator("[data-key=c]").get_by_label("Year", exact=True).uncheck()
        page.locator("[data-key=c]").get_by_role("button", name="Apply").click()
        page.wait_for_url("**columns=Title,ArtistId,AlbumId")
        page.locator("[data-key=c] summary").click()
        page.get_by_role("button", name="All columns").click()
        page.wait_for_function("!location.search.includes('columns')")
        self.assertEqual(page.locator("#r-10 th").inner_text(), "Album 0")
        page.go_back()
        page.wait_for_url("**columns=Title,ArtistId,AlbumId")

    def test_people_are_titled_by_their_names_and_events_by_their_ids(self):
        page = self.open("/Person/5")
        self.assertEqual(page.locator("h1").inner_text(), "Ada Lovelace")
        self.assertEqual(page.locator("dl.row dt").all_inner_texts(), ["FirstName", "LastName", "Title", "PersonId"])
        self.assertEqual(self.open("/Person?layout=grid").locator(".card h2").inner_text(), "Ada Lovelace")
        page = self.open("/Visit/9")
        self.assertEqual(page.locator("h1").inner_text(), "9")
        self.assertEqual(page.locator("dl.row dt").all_inner_texts(), ["Person", "Day", "Note"])

    def test_related_rows_are_small_tables_with_a_link_to_all(self):
        for script in (True, False):
            page = self.open("/Artist/3", script=script)
            self.assertEqual(page.locator(".rel thead th").all_inner_texts(), ["Title", "Year"])
            self.assertEqual(page.locator(".rel tbody tr").count(), 5)
            self.assertEqual(page.locator(".rel tbody tr").first.inner_text().split(), ["Album", "0", "1970"])
            self.assertEqual(browser.violations(page) + browser.small_targets(page) if script else [], [])
            page.get_by_role("link", name="all 7").click()
            page.wait_for_url("**/Album?ArtistId=3")
            self.assertEqual(page.locator("#list tbody tr").count(), 7)

    def test_the_panel_is_titled_by_the_label_and_an_edit_there_is_undone(self):
        page = self.open("/Artist")
        page.wait_for_selector("#live:not([hidden])")
        page.locator("#r-3 th a").click()
        page.wait_for_selector("#panel bdi:text('Abba')")
        page.locator("#panel [data-act=edit]").click()
        page.locator("#panel [name=Name]").fill("ABBA")
        page.locator("#panel").get_by_role("button", name="Save").click()
        page.wait_for_selector("#r-3 :text('ABBA')")
        page.wait_for_selector("#panel .rel tbody tr")
        page.locator("#toast").get_by_role("button", name="Undo").click()
        page.wait_for_selector("#r-3 :text('Abba')")
        self.assertEqual(self.service.json("/Artist/3.json")["row"]["cells"]["Name"], "Abba")


if __name__ == "__main__":
    unittest.main()
