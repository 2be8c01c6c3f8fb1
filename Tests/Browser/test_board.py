"""A person moves cards between the sections of a board, and takes it back."""

import unittest

import browser
from service import Service, write_people


class BoardTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 300)
        cls.serve(Service(f"people={people}", "--allow-anonymous-writes"))

    def open(self, path, script=True, **options):
        page = self.browser.page(script=script, **options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        if script:
            page.wait_for_selector("#live:not([hidden])")
        return page

    def test_shows_sections_as_columns_and_writes_the_section_of_a_dragged_card(self):
        page = self.open("/people?group=city&limit=100")
        page.locator("[data-key=v] > summary").click()
        page.get_by_role("link", name="Board", exact=True).click()
        page.wait_for_url("**per_section=20**layout=board*")
        sections = page.locator(".board > section")
        self.assertEqual(sections.count(), 5)
        lefts = [section.bounding_box()["x"] for section in sections.all()]
        self.assertEqual(lefts, sorted(set(lefts)))
        card = page.locator("[data-value='\"Berlin\"'] .card").first
        id = card.get_attribute("id")
        card.drag_to(page.locator("[data-value='\"Oslo\"']"), target_position={"x": 30, "y": 12})
        page.wait_for_function("document.querySelector('#toast')?.textContent.startsWith('Saved')")
        self.assertEqual(self.city(id), "Oslo")
        page.get_by_role("button", name="Undo").click()
        page.wait_for_selector("#toast:has-text('Undone')")
        self.assertEqual(self.city(id), "Berlin")
        self.assertEqual(browser.violations(page), [])
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 1280)
        # A failure loses nothing.
        page.context.set_offline(True)
        page.locator("[data-value='\"Berlin\"'] .card").first.drag_to(
            page.locator("[data-value=null]"), target_position={"x": 30, "y": 12})
        page.wait_for_selector("#toast:has-text('Not saved')")
        page.context.set_offline(False)
        page.get_by_role("button", name="Retry").click()
        page.wait_for_function("document.querySelector('#toast')?.textContent.startsWith('Saved')")
        self.assertEqual(self.city(id), None)
        page.get_by_role("button", name="Undo").click()
        page.wait_for_selector("#toast:has-text('Undone')")
        page.locator("[data-key=v] > summary").click()
        page.get_by_role("link", name="Table", exact=True).click()
        page.wait_for_url(lambda address: "layout" not in address and "per_section" not in address)
        self.assertEqual(page.errors, [])

    def city(self, element):
        return self.service.json(f"/people/{element[2:]}")["row"]["cells"]["city"]


if __name__ == "__main__":
    unittest.main()
