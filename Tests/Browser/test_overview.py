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
        cls.serve(Service(f"people={people}", f"towns={towns}"))

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

    def test_leads_back_from_a_search_that_finds_nothing(self):
        page = self.open("/?q=nobodyatall")
        page.locator(".empty a").click()
        self.assertEqual(page.locator("main li").count(), 2)


if __name__ == "__main__":
    unittest.main()
