"""A person looks at the numbers of a column."""

import csv
import unittest

import browser
from service import Service, write_people


class StatisticsTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.people = cls.file("people.csv")
        write_people(cls.people, 300)
        cls.serve(Service(f"people={cls.people}"))

    def open(self, path, script=True, **options):
        page = self.browser.page(script=script, **options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        return page

    def column(self, name):
        with open(self.people, newline="", encoding="utf-8") as file:
            return [row[name] for row in csv.DictReader(file)]

    def measure(self, page, column):
        page.locator(f"th[data-c={column}] .cm").click()
        page.locator("#cm").get_by_role("button", name="Statistics").click()
        page.wait_for_selector("#cm .stats svg")
        labels = page.locator("#cm dt").all_inner_texts()
        return dict(zip(labels, page.locator("#cm dd").all_inner_texts()))

    def test_shows_least_mean_greatest_and_missing_values(self):
        page = self.open("/people")
        page.wait_for_selector(".cm")
        ages = [int(age) for age in self.column("age") if age]
        shown = self.measure(page, "age")
        self.assertEqual(shown["Smallest"], str(min(ages)))
        self.assertEqual(shown["Largest"], str(max(ages)))
        self.assertEqual(shown["Missing"], str(self.column("age").count("")))
        self.assertAlmostEqual(float(shown["Mean"].lstrip("≈")), sum(ages) / len(ages), 3)
        counts = page.locator("#cm svg").get_attribute("aria-label").split(", ")
        self.assertEqual(sum(int(count.split(": ")[1]) for count in counts), len(ages))
        self.assertEqual(browser.violations(page), [])
        self.assertEqual(page.errors, [])
        # The menu is the usual one again.
        page.keyboard.press("Escape")
        page.locator("th[data-c=name] .cm").click()
        self.assertTrue(page.locator("#cm").get_by_role("button", name="Hide").is_visible())

    def test_shows_the_numbers_of_the_rows_that_match(self):
        page = self.open("/people?city=Oslo&age__gte=40")
        page.wait_for_selector(".cm")
        shown = self.measure(page, "age")
        rows = zip(self.column("city"), self.column("age"))
        ages = [int(age) for city, age in rows if city == "Oslo" and age and int(age) >= 40]
        self.assertEqual((shown["Smallest"], shown["Largest"]), (str(min(ages)), str(max(ages))))

    def test_shows_them_for_texts_and_without_a_script(self):
        page = self.open("/people", script=False)
        page.locator("[data-key=f] > summary").click()
        page.get_by_label("Statistics of").select_option("name")
        page.locator("form:has([name=statistics]) button").click()
        names = self.column("name")
        shown = page.locator(".stats").inner_text()
        self.assertIn(min(names, key=lambda name: (len(name), name)), shown)
        page.get_by_role("button", name="Close: Statistics of Name").click()
        self.assertEqual(page.locator(".stats").count(), 0)


if __name__ == "__main__":
    unittest.main()
