"""A person arranges a wide table, saves the view, and scrolls through all rows."""

import unittest

import browser
from service import Service, write_wide

ROWS = "#list [id^='r-']"
LEFT = "part => part.getBoundingClientRect().left"


class ViewTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        wide = cls.file("wide.csv")
        write_wide(wide, 1700, 30)
        cls.serve(Service(f"wide={wide}"))

    def open(self, path="/wide", **options):
        page = self.browser.page(**options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        page.wait_for_selector(".cm")
        return page

    def menu(self, page, column, label):
        page.locator(f"th[data-c='{column}'] .cm").click()
        page.locator("#cm").get_by_role("button", name=label, exact=True).click()

    def more(self, page):
        page.locator("[data-key=v] > summary").click()
        return page.locator(".tools .own")

    def width(self, page, column):
        return round(page.locator(f"th[data-c='{column}']").bounding_box()["width"])

    def test_pins_columns_and_keeps_them_in_the_address(self):
        for path in ("/wide", "/wide?limit=500"):
            page = self.open(path)
            self.menu(page, "column 0", "Pin up to here")
            page.wait_for_url("**#pinned=2")
            page.evaluate("document.querySelector('.wide').scrollLeft = 900")
            for column in ("name", "column 0"):
                head = page.locator(f"th[data-c='{column}']")
                place = head.evaluate("head => head.cellIndex")
                cell = page.locator(f"{ROWS} > :nth-child({place + 1})").nth(4)
                self.assertAlmostEqual(head.evaluate(LEFT), cell.evaluate(LEFT), delta=1)
                self.assertTrue(head.evaluate(
                    """head => {
                        const { left, top, height } = head.getBoundingClientRect();
                        return head.contains(document.elementFromPoint(left + 12, top + height / 2));
                    }"""
                ), (path, column))
            page.reload()
            page.wait_for_selector(".cm")
            page.locator("th[data-c='column 1'] a").click()
            page.wait_for_url("**sort=column*#pinned=2")
            self.menu(page, "name", "Unpin")
            page.wait_for_url(lambda address: "#" not in address)
            self.assertEqual(page.errors, [])

    def test_sets_widths_by_keyboard_and_by_the_mouse(self):
        for path in ("/wide", "/wide?limit=500"):
            page = self.open(path)
            before = self.width(page, "column 1")
            self.menu(page, "column 1", "Wider")
            page.wait_for_url("**#widths=column*:*")
            page.wait_for_function(
                """before => document.querySelector("th[data-c='column 1']").offsetWidth > before""", arg=before
            )
            page.reload()
            page.wait_for_selector(".cm")
            self.assertGreater(self.width(page, "column 1"), before)
            grip = page.locator("th[data-c='column 0'] .grip")
            place, before = grip.bounding_box(), self.width(page, "column 0")
            page.mouse.move(place["x"] + 2, place["y"] + 9)
            page.mouse.down()
            page.mouse.move(place["x"] - 78, place["y"] + 9, steps=4)
            page.mouse.up()
            page.wait_for_function(
                """before => document.querySelector("th[data-c='column 0']").offsetWidth < before - 60""", arg=before
            )
            page.wait_for_timeout(100)
            grip.dblclick()
            page.wait_for_url(lambda address: "column%25200" not in address)
            self.assertEqual(page.errors, [])

    def test_ignores_an_address_that_names_no_column(self):
        page = self.open("/wide#pinned=999&widths=nothing:12,%25:7,%25FF:8,%2525FF:9,name:9999")
        self.assertEqual(page.locator(ROWS).count(), 50)
        self.assertEqual(page.errors, [])

    def test_saves_and_deletes_views(self):
        page = self.open("/wide?sort=-name&q=Falcon")
        self.menu(page, "column 0", "Pin up to here")
        own = self.more(page)
        own.get_by_label("Name of the view").fill("Falcons <b>")
        own.get_by_role("button", name="Save").click()
        self.assertEqual(own.get_by_role("link").inner_text(), "Falcons <b>")
        self.assertEqual(browser.violations(page), [])
        page.goto(self.service.base + "/wide")
        page.wait_for_selector(".cm")
        self.more(page).get_by_role("link", name="Falcons").click()
        page.wait_for_url("**sort=-name*#pinned=2")
        self.assertIn("q=Falcon", page.url)
        own = self.more(page)
        self.assertEqual(own.get_by_role("link").get_attribute("aria-current"), "true")
        own.get_by_role("button", name="Delete the view Falcons <b>").click()
        self.assertEqual(own.get_by_role("link").count(), 0)
        self.assertEqual(page.errors, [])

    def test_rows_become_dense(self):
        page = self.open()
        height = page.locator(ROWS).first.bounding_box()["height"]
        self.more(page).get_by_label("Compact rows").check()
        page.wait_for_selector(".compact")
        page.reload()
        page.wait_for_selector(".compact .cm")
        self.assertLess(page.locator(ROWS).first.bounding_box()["height"], height - 5)
        self.assertEqual(browser.small_targets(page), [])

    def test_scrolls_through_all_rows_with_a_bounded_number_of_elements(self):
        for path in ("/wide?sort=id&limit=100", "/wide?sort=id&limit=100&group=column+3"):
            page = self.open(path)
            self.more(page).get_by_label("Load more rows").check()
            page.keyboard.press("Escape")
            ids = self.read_through(page)
            self.assertEqual(len(ids), 1700)
            if "group" not in path:
                self.assertEqual(ids, [f"r-{number}" for number in range(1, 1701)])
            self.assertLessEqual(page.locator(ROWS).count(), 1000)
            self.assertIn("1,700", page.locator(".pages .n").inner_text())
            page.evaluate("document.querySelector('.wide').scrollTop = 0")
            page.wait_for_function(
                f"""first => {{
                    document.querySelector(".wide").scrollTop = 0;
                    return document.querySelector("{ROWS}").id === first;
                }}""",
                arg=ids[0],
                polling=100,
            )
            heads = page.locator("#list tbody").evaluate_all("parts => parts.map((part) => part.id)")
            self.assertEqual(len(heads), len(set(heads)))
            self.assertEqual(page.errors, [])

    def read_through(self, page):
        """The ids of the rows in the order in which they come into view."""
        return page.evaluate(
            f"""async () => {{
                const seen = new Set(), frame = document.querySelector(".wide");
                let quiet = 0;
                while (quiet < 20) {{
                    const before = seen.size;
                    for (const row of document.querySelectorAll("{ROWS}")) seen.add(row.id);
                    frame.scrollTop = frame.scrollHeight;
                    await new Promise((done) => setTimeout(done, 50));
                    quiet = seen.size === before ? quiet + 1 : 0;
                }}
                return [...seen];
            }}"""
        )


if __name__ == "__main__":
    unittest.main()
