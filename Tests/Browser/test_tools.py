"""A person finds, narrows, sorts and arranges by the toolbar and the menus of columns."""

import unittest

import browser
from service import Service, write_people

ROWS = "#list [id^='r-']"


class ToolTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 537)
        cls.serve(Service(f"people={people}"))

    def open(self, path="/people", script=True, width=1280, height=800, **options):
        page = self.browser.page(width, script=script, **options)
        page.set_viewport_size({"width": width, "height": height})
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        return page

    def column(self, page, name):
        """The texts of a column as the table shows them."""
        return page.eval_on_selector_all(
            ROWS,
            """(rows, name) => {
                const at = [...document.querySelectorAll("thead th")].findIndex((head) => head.dataset.c === name);
                return rows.map((row) => row.children[at].textContent);
            }""",
            name,
        )

    def menu(self, page, column, label):
        page.locator(f"th[data-c={column}] .cm").click()
        page.locator("#cm").get_by_role("button", name=label, exact=True).click()

    def test_rows_begin_near_the_top(self):
        for width, height, most in ((1280, 800, 200), (360, 640, 260)):
            for path in ("/people", "/people?group=city"):
                page = self.open(path, width=width, height=height)
                first = page.locator(ROWS).first.bounding_box()
                self.assertLessEqual(first["y"], most, (width, path))

    def test_narrows_by_a_range_and_changes_the_condition(self):
        for script in (True, False):
            page = self.open("/people?sort=name&limit=100", script)
            page.locator("[data-key=f] > summary").click()
            form = page.locator("[data-key=f] form").first
            form.get_by_label("Column").select_option("age")
            form.get_by_label("Condition").select_option("between")
            form.get_by_label("Value").fill("30")
            form.get_by_label("and").fill("40")
            form.get_by_role("button", name="Apply").click()
            page.wait_for_url("**age__gte=30&age__lte=40*")
            self.assertIn("sort=name", page.url)
            ages = self.column(page, "age")
            self.assertTrue(ages and all(30 <= int(age) <= 40 for age in ages), ages)
            self.assertEqual(page.locator(".chip").count(), 2)
            page.locator(".chip summary", has_text="at most 40").click()
            field = page.locator(".chip [open] input[name=form__value]")
            self.assertEqual(field.input_value(), "40")
            field.fill("31")
            field.press("Enter")
            page.wait_for_url("**age__lte=31*")
            page.get_by_label("Remove: Age at least 30").click()
            page.wait_for_url(lambda address: "age__gte" not in address)
            self.assertEqual(page.errors, [])

    def test_offers_the_comparisons_that_suit_a_column(self):
        page = self.open()
        page.wait_for_selector(".cm")
        self.menu(page, "born", "Filter …")
        form = page.locator("[data-key=f] form").first
        self.assertEqual(form.locator("[name=form__column]").input_value(), "born")
        enabled = form.locator("[name=form__is] option:enabled").evaluate_all("all => all.map((one) => one.value)")
        self.assertIn("between", enabled)
        self.assertNotIn("contains", enabled)
        self.assertEqual(form.locator("[name=form__value]").get_attribute("type"), "date")
        self.assertEqual(page.evaluate("document.activeElement.name"), "form__value")
        form.locator("[name=form__is]").select_option("empty")
        self.assertFalse(form.locator("[name=form__value]").is_visible())

    def test_sorts_by_two_columns(self):
        page = self.open()
        self.menu(page, "city", "Sort descending")
        page.wait_for_url("**sort=-city")
        self.menu(page, "name", "Then ascending")
        page.wait_for_url("**sort=-city,name")
        self.assertEqual(page.locator("thead [aria-sort]").count(), 1)
        page = self.open(script=False)
        page.locator("[data-key=s] > summary").click()
        page.locator("[name=form__sort]").nth(0).select_option("city")
        page.locator("[name=form__direction]").nth(0).select_option("-")
        page.locator("[name=form__sort]").nth(1).select_option("name")
        page.locator("[data-key=s] button").click()
        self.assertIn("sort=-city,name", page.url)

    def test_hides_and_moves_columns(self):
        heads = "all => all.map((head) => head.dataset.c)"
        page = self.open()
        self.menu(page, "email", "Hide")
        page.wait_for_url("**columns=name,city*")
        self.menu(page, "age", "Move left")
        page.wait_for_url("**columns=name,age,city*")
        shown = page.locator("thead th").evaluate_all(heads)
        self.assertEqual(shown[:3], ["name", "age", "city"])
        self.assertEqual(page.evaluate("document.activeElement.closest('th').dataset.c"), "age")
        page.locator("[data-key=c] > summary").click()
        page.get_by_role("button", name="All columns").click()
        page.wait_for_url("**/people")
        page = self.open(script=False)
        page.locator("[data-key=c] > summary").click()
        page.get_by_label("Notes", exact=True).uncheck()
        page.get_by_role("button", name="Move Age forward").click()
        shown = page.locator("thead th").evaluate_all(heads)
        self.assertEqual(shown, ["id", "name", "email", "age", "city", "born", "active", "site"])

    def test_counts_and_chooses_values(self):
        page = self.open()
        self.menu(page, "city", "Count values")
        page.wait_for_url("**facets=city")
        page.locator("[data-key=f] li a", has_text="Oslo").click()
        page.wait_for_url("**city=Oslo*")
        self.assertEqual(set(self.column(page, "city")), {"Oslo"})

    def test_groups_by_the_menu_of_a_column(self):
        page = self.open()
        self.menu(page, "city", "Group")
        page.wait_for_url("**group=city")
        self.assertGreater(page.locator("#list .sh").count(), 0)

    def test_goes_to_any_page_and_says_which_rows_it_shows(self):
        for script in (True, False):
            page = self.open("/people?sort=name", script)
            told = page.locator(".pages .n")
            self.assertEqual(told.inner_text(), "1–50 of 537")
            page.get_by_role("link", name="Next").click()
            page.wait_for_url("**after=*")
            self.assertEqual(told.inner_text(), "51–100 of 537")
            page.get_by_role("link", name="Next").click()
            page.wait_for_function("document.querySelector('.pages .n').innerText === '101–150 of 537'")
            page.get_by_role("link", name="Previous").click()
            page.wait_for_function("document.querySelector('.pages .n').innerText === '51–100 of 537'")
            page.get_by_role("link", name="Last").click()
            page.wait_for_function("document.querySelector('.pages .n').innerText === '501–537 of 537'")
            page.get_by_label("Page", exact=True).fill("4")
            page.keyboard.press("Enter")
            page.wait_for_url("**page=4*")
            self.assertEqual(told.inner_text(), "151–200 of 537")
            page.get_by_role("link", name="First").click()
            page.wait_for_url("**/people?sort=name")

    def test_steps_back_through_searches_and_says_what_was_found(self):
        page = self.open()
        page.locator("[name=q]").focus()
        page.keyboard.type("grace", delay=60)
        page.wait_for_url("**q=grace")
        page.wait_for_function("document.querySelector('#status').textContent.endsWith('rows')")
        self.menu(page, "name", "Sort descending")
        page.wait_for_url("**sort=-name*")
        page.go_back()
        page.wait_for_url("**/people?q=grace")
        page.wait_for_selector("th[data-c=name]:not([aria-sort])")
        page.go_back()
        page.wait_for_url("**/people")
        page.wait_for_function("document.querySelector('[name=q]').value === ''")
        page.go_forward()
        page.wait_for_url("**/people?q=grace")

    def test_a_slowly_typed_search_is_one_step(self):
        # A slow machine pauses between two letters, before or after the first answer.
        for is_answered in (True, False):
            page = self.open()
            if not is_answered:
                page.route("**/narrow?q=gr", lambda route: None)
            page.get_by_role("searchbox").focus()
            with page.expect_request("**/narrow?q=gr"):
                page.keyboard.type("gr")
            if is_answered:
                page.wait_for_url("**q=gr")
            page.keyboard.type("ace")
            page.wait_for_url("**q=grace")
            self.assertEqual(page.evaluate("document.activeElement.name"), "q")
            page.go_back()
            page.wait_for_url("**/people")

    def test_text_typed_while_a_page_comes_is_searched_for(self):
        page = self.open("/people")
        page.evaluate("""() => addEventListener("listswap", () => {
            const search = document.querySelector("[name=q]");
            search.value += "race";
            search.dispatchEvent(new InputEvent("input", { bubbles: true }));
        }, { once: true })""")
        page.locator("[name=q]").focus()
        page.keyboard.type("g")
        page.wait_for_url("**q=grace")
        self.assertEqual(page.get_by_role("searchbox").input_value(), "grace")

    def test_searches_again_when_the_connection_is_back(self):
        page = self.open()
        page.wait_for_selector("#live:not([hidden])")
        page.clock.install()
        page.context.set_offline(True)
        page.locator("[name=q]").fill("grace")
        page.clock.run_for(1000)
        page.wait_for_selector("#live.bad")
        page.context.set_offline(False)
        page.clock.run_for(16000)
        page.wait_for_url("**q=grace")

    def test_leaves_a_failed_step_alone_after_a_later_one(self):
        page = self.open()
        page.wait_for_selector("#live:not([hidden])")
        page.clock.install()
        page.route("**/people?sort=age*", lambda route: route.abort())
        page.locator("th[data-c=age] a").click()
        page.wait_for_selector("#live.bad")
        page.locator("th[data-c=name] a").click()
        page.wait_for_selector("th[data-c=name][aria-sort]")
        requests = []
        page.on("request", lambda request: requests.append(request.url))
        page.clock.run_for(16000)
        page.evaluate("fetch('/-/live')")
        self.assertEqual([url for url in requests if "sort=age" in url], [])

    def test_menus_close_on_a_click_elsewhere(self):
        page = self.open()
        page.locator("[data-key=s] > summary").click()
        page.locator("h1").click()
        self.assertEqual(page.locator("details[open]").count(), 0)
        page.locator("th[data-c=name] .cm").click()
        self.assertTrue(page.locator("#cm").is_visible())
        page.locator("h1").click()
        self.assertFalse(page.locator("#cm").is_visible())

    def test_shows_every_column_on_a_phone_and_on_paper(self):
        labels = "row => [...row.querySelectorAll('td')].map((cell) => [cell.dataset.l, cell.checkVisibility()])"
        page = self.open(width=360, height=640)
        wanted = [[name, True] for name in
                  ("Email", "City", "Age", "Born", "Active", "Site", "Notes", "ID")]
        self.assertEqual(page.locator(ROWS).first.evaluate(labels), wanted)
        wide = page.evaluate("document.documentElement.scrollWidth")
        self.assertLessEqual(wide, 360)
        page = self.open()
        page.emulate_media(media="print")
        self.assertEqual(page.locator(ROWS).first.evaluate(labels), wanted)
        widest = page.evaluate("Math.max(...[...document.querySelectorAll('#list td')].map((cell) => cell.getBoundingClientRect().right))")
        self.assertLessEqual(widest, 1280)

    def test_is_accessible_with_menus_open(self):
        for theme in ("light", "dark"):
            for width in (1280, 360):
                page = self.open("/people?group=city&age__gte=30&q=a&facets=city", width=width, color_scheme=theme)
                for menu in range(page.locator("details.menu").count()):
                    page.locator("details.menu").nth(menu).evaluate("menu => menu.open = true")
                    wrong = browser.violations(page) + browser.small_targets(page) + browser.overflow(page)
                    # An open menu may cover a part of a target.
                    wrong = [line for line in wrong if "partially obscured" not in line]
                    self.assertEqual(wrong, [], (theme, width, menu))
                self.assertEqual(page.errors, [])
            page = self.open()
            page.locator("th[data-c=age] .cm").click()
            self.assertEqual(browser.violations(page) + browser.small_targets(page), [])

    def test_speaks_german(self):
        page = self.open("/people?age__gte=30", locale="de-DE")
        page.wait_for_selector(".cm")
        self.assertEqual(
            page.locator(".tools summary").all_text_contents(),
            ["Filtern 1", "Gruppieren", "Sortieren", "Spalten", "⋯"],
        )
        page.locator("th[data-c=age] .cm").click()
        self.assertIn("Aufsteigend sortieren", page.locator("#cm").inner_text())
        page.keyboard.press("Escape")
        page.locator("[data-key=f] > summary").click()
        form = page.locator("[data-key=f] form").first
        form.locator("[name=form__column]").select_option("age")
        form.locator("[name=form__is]").select_option("lte")
        form.locator("[name=form__value]").fill("40,5")
        form.get_by_role("button").click()
        page.wait_for_url("**age__lte=40.5*")


if __name__ == "__main__":
    unittest.main()
