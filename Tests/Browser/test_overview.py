"""A person looks for something in all lists at once."""

import unittest

import browser
from service import Service, write_people


class OverviewTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 300)
        towns = cls.file("towns.csv")
        with open(towns, "w", encoding="utf-8") as file:
            file.write("id,town,people\n1,Oslo,700000\n2,Grace Harbor,900\n")
        log = cls.file("log.csv")
        with open(log, "w", encoding="utf-8") as file:
            file.write("id,level,message\n1,info,Started\n2,error,The Café closed before a <timeout> of 5 s\n")
            file.write("3,info," + "Many words that go on. " * 20 + "Then a timeout. " + "And more words. " * 20 + "\n")
        cls.serve(Service(f"people={people}", f"towns={towns}", f"log={log}"))

    def open(self, path, script=True, **options):
        page = self.browser.page(script=script, **options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        return page

    def test_searches_all_lists(self):
        for script in (True, False):
            page = self.open("/", script)
            page.get_by_label("Search all lists").fill("grace")
            page.keyboard.press("Enter")
            page.wait_for_url("**/?q=grace")
            self.assertEqual(page.locator("main h2").all_inner_texts(), ["People", "Towns"])
            self.assertEqual(page.locator("main ul").nth(0).locator("li").count(), 4)
            if script:
                self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
            page.get_by_role("link", name="Grace Harbor").click()
            page.wait_for_url("**/towns/2")
            page.go_back()
            page.get_by_role("link", name="More in People").click()
            page.wait_for_url("**/people?q=grace")
            self.assertIn("Grace", page.locator("#list tbody tr").first.inner_text())

    def test_shows_where_the_words_were_found(self):
        page = self.open("/?q=cafe+timeout")
        found = page.locator("main li")
        self.assertEqual(found.count(), 1)
        self.assertEqual(found.locator("p").inner_text(), "The Café closed before a <timeout> of 5 s")
        self.assertEqual(found.locator("p mark").all_inner_texts(), ["Café", "timeout"])
        self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
        page = self.open("/?q=time")
        texts = page.locator("main li p").all_inner_texts()
        self.assertEqual(len(texts), 2)
        self.assertTrue(texts[1].startswith("…") and texts[1].endswith("…") and "timeout" in texts[1], texts)
        self.assertLess(len(texts[1]), 210)
        page = self.open("/?q=grace")
        self.assertIn("Grace", page.locator("main li a mark").all_inner_texts())

    def test_leads_back_from_a_search_that_finds_nothing(self):
        page = self.open("/?q=nobodyatall")
        page.locator(".empty a").click()
        self.assertEqual(page.locator("main li").count(), 3)


if __name__ == "__main__":
    unittest.main()
