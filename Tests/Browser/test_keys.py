"""Everything can be done by keyboard, and what a person types takes effect at once."""

import unittest

import browser
from service import Service, write_people

ROWS = "#list [id^='r-']"


class KeyTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 120)
        cls.serve(Service(f"people={people}", "--group-by", "people=city"))

    def setUp(self):
        self.page = self.browser.page()
        self.addCleanup(self.page.context.close)
        self.page.goto(self.service.base + "/people?sort=name&limit=40")

    def focused(self, expression):
        return self.page.evaluate(f"document.activeElement{expression}")

    def test_goes_from_row_to_row_and_from_section_to_section(self):
        ids = self.page.eval_on_selector_all(ROWS, "rows => rows.map((row) => row.id)")
        self.page.keyboard.press("j")
        self.assertEqual(self.focused(".closest('[id^=r-]').id"), ids[0])
        self.page.keyboard.press("j")
        self.page.keyboard.press("j")
        self.assertEqual(self.focused(".closest('[id^=r-]').id"), ids[2])
        self.page.keyboard.press("k")
        self.assertEqual(self.focused(".closest('[id^=r-]').id"), ids[1])
        self.page.keyboard.press("n")
        sections = self.page.eval_on_selector_all(
            "#list [id^='s-']", "parts => parts.map((part) => part.id)"
        )
        self.assertEqual(self.focused(".closest('[id^=s-]').id"), sections[1])
        self.page.keyboard.press("p")
        self.assertEqual(self.focused(".closest('[id^=s-]').id"), sections[0])

    def test_turns_pages_and_goes_to_letters(self):
        self.page.keyboard.press("]")
        self.page.wait_for_url("**after=*")
        self.page.keyboard.press("[")
        self.page.wait_for_url("**before=*")
        letters = self.page.locator(".az a").all_text_contents()
        self.page.keyboard.press("g")
        self.page.keyboard.press(letters[-1].lower())
        self.page.wait_for_url("**jump=*")

    def test_opens_and_closes_what_there_is(self):
        self.page.keyboard.press("s")
        self.assertTrue(self.focused(".closest('details').open"))
        self.page.keyboard.press("Escape")
        self.assertEqual(self.page.locator("details[open]").count(), 0)
        self.assertEqual(self.focused(".tagName"), "SUMMARY")
        self.page.keyboard.press("f")
        self.assertEqual(self.focused(".name"), "form__column")
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("/")
        self.assertEqual(self.focused(".name"), "q")

    def test_tells_the_keys_and_can_be_told_to_leave_them(self):
        self.page.evaluate("document.activeElement.blur()")
        self.page.keyboard.press("?")
        self.assertTrue(self.page.locator("#keys").evaluate("dialog => dialog.open"))
        self.assertEqual(browser.violations(self.page), [])
        self.page.locator("#single").uncheck()
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("/")
        self.assertNotEqual(self.focused(".name"), "q")
        self.page.locator("summary[aria-label=More]").click()
        self.page.locator("#help").click()
        self.page.locator("#single").check()
        self.page.locator("#keys button").click()
        self.page.evaluate("document.activeElement.blur()")
        self.page.keyboard.press("/")
        self.assertEqual(self.focused(".name"), "q")


if __name__ == "__main__":
    unittest.main()
