"""Pages that say what went wrong are as good as the others, and lead on."""

import unittest

import browser
from service import Service, write_people


class ProblemTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.people = cls.file("people.csv")
        write_people(cls.people, 120)
        cls.secret = cls.file("secret")
        with open(cls.secret, "w", encoding="ascii") as file:
            file.write("a secret of more than thirty-two bytes\n")

    def assert_good(self, page):
        self.assertEqual(
            browser.violations(page) + browser.overflow(page) + browser.small_targets(page)
            + page.errors,
            [],
        )

    def test_an_expired_cursor_leads_back_to_the_start(self):
        with Service(self.people) as service:
            cursor = service.json("/people.json?limit=20&sort=name")["page"]["after"]
        with Service(self.people, "--cursor-secret-file", self.secret) as service:
            for width, theme in ((320, "dark"), (1280, "light")):
                page = self.browser.page(width, theme)
                answer = page.goto(f"{service.base}/people?limit=20&sort=name&after={cursor}")
                self.assertEqual(answer.status, 410)
                self.assert_good(page)
                page.get_by_role("link", name="Back to the start").click()
                self.assertEqual(page.locator("#list [id^='r-']").count(), 20)
                self.assertIn("sort=name", page.url)
                page.context.close()

    def test_a_conflict_shows_both_versions_and_loses_nothing(self):
        database = self.file("lists.sqlite")
        with Service(self.people, "--database", database, "--allow-anonymous-writes") as service:
            for width, theme in ((320, "dark"), (1280, "light")):
                page = self.browser.page(width, theme)
                page.goto(f"{service.base}/people/1/-/edit")
                service.send("PATCH", "/people/1", {"name": f"Theirs {width}"})
                page.locator("[name=name]").fill(f"Mine {width}")
                page.get_by_role("button", name="Save").click()
                self.assertEqual(page.locator("[name=name]").input_value(), f"Mine {width}")
                self.assertIn(f"Theirs {width}", page.locator("fieldset").inner_text())
                self.assert_good(page)
                page.get_by_label("Save the value above").check()
                page.get_by_role("button", name="Save").click()
                shown = service.json("/people/1.json")["row"]["cells"]["name"]
                self.assertEqual(shown, f"Mine {width}")
                page.context.close()

    def test_a_wrong_value_is_told_beside_its_field(self):
        database = self.file("faults.sqlite")
        with Service(self.people, "--database", database, "--allow-anonymous-writes") as service:
            page = self.browser.page(320, "dark")
            page.goto(f"{service.base}/people/-/new")
            page.locator("[name=age]").fill("many")
            page.get_by_role("button", name="Add").click()
            field = page.locator("[name=age]")
            self.assertEqual(field.get_attribute("aria-invalid"), "true")
            self.assertEqual(field.input_value(), "many")
            note = page.locator("#" + field.get_attribute("aria-describedby"))
            self.assertGreater(len(note.inner_text()), 10)
            self.assert_good(page)
            page.context.close()

    def test_a_mistyped_parameter_is_put_right_by_a_link(self):
        with Service(self.people) as service:
            page = self.browser.page()
            page.goto(f"{service.base}/people?age__gtt=30")
            page.get_by_role("link", name="age__gt").click()
            self.assertIn("age__gt=30", page.url)
            self.assertGreater(page.locator("#list [id^='r-']").count(), 0)
            page.context.close()

    def test_nothing_is_lost_in_forced_colours_and_without_motion(self):
        with Service(self.people) as service:
            page = self.browser.page(forced_colors="active", reduced_motion="reduce")
            page.goto(f"{service.base}/people?sort=name")
            self.assert_good(page)
            page.context.close()


if __name__ == "__main__":
    unittest.main()
