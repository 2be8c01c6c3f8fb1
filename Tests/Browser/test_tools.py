"""A person finds, narrows, sorts and arranges by the toolbar and the menus of columns."""

import unittest
from urllib.parse import unquote

import browser
from service import Service, write_people

ROWS = "#list [id^='r-']"


class ToolTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 537)
        many = cls.file("many.csv")
        with open(many, "w", encoding="utf-8") as file:
            file.write("id,name\n" + "".join(f"{row},#{row}\n" for row in range(1, 10501)))
        cls.serve(Service(f"people={people}", f"many={many}"))

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
            form.locator(".cond").first.get_by_label("Column").select_option("age")
            form.locator(".cond").first.get_by_label("Condition").select_option("between")
            form.locator(".cond").first.get_by_label("Value").fill("30")
            form.locator(".cond").first.get_by_label("and").fill("40")
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
        form = page.locator("[data-key=f] .cond").first
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
        page.locator("[name=form__show][value=site]").press("Space")
        page.wait_for_url(lambda address: "site" not in address)
        # The menu stays, with the focus where it was.
        self.assertEqual(page.evaluate("document.activeElement.value"), "site")
        self.assertEqual(page.locator("th[data-c=site]").count(), 0)
        page.locator("[name=form__show][value=site]").press("Space")
        page.wait_for_selector("th[data-c=site]")
        page.get_by_role("button", name="All columns").click()
        page.wait_for_url("**/people")
        page = self.open(script=False)
        page.locator("[data-key=c] > summary").click()
        page.get_by_label("Notes", exact=True).uncheck()
        page.get_by_role("button", name="Move Age forward").click()
        shown = page.locator("thead th").evaluate_all(heads)
        self.assertEqual(shown, ["name", "email", "age", "city", "born", "active", "site", "id"])

    def test_counts_and_chooses_values(self):
        page = self.open()
        self.menu(page, "city", "Count values")
        page.wait_for_url("**facets=city")
        rail = page.locator(".rail li a")
        rail.filter(has_text="Oslo").click()
        page.wait_for_url("**city=Oslo*")
        self.assertEqual(set(self.column(page, "city")), {"Oslo"})
        # The rail stays, and takes several values.
        rail.filter(has_text="Paris").press("Enter")
        page.wait_for_url("**city__in=Oslo,Paris*")
        self.assertEqual(set(self.column(page, "city")), {"Oslo", "Paris"})
        self.assertEqual(page.evaluate("document.activeElement.dataset.v"), "city=Paris")
        rail.filter(has_text="Oslo").click()
        page.wait_for_url("**city=Paris*")
        self.assertEqual(set(self.column(page, "city")), {"Paris"})
        page.go_back()
        page.wait_for_url("**city__in=Oslo,Paris*")
        self.menu(page, "age", "Count values")
        page.wait_for_url("**facets=city,age*")
        self.assertEqual(page.locator(".rail h2").all_inner_texts(), ["City\n×", "Age\n×"])
        page.get_by_role("link", name="Remove: City", exact=True).click()
        page.wait_for_url("**facets=age*")
        self.assertEqual(browser.violations(page) + browser.small_targets(page), [])
        self.assertEqual(page.errors, [])

    def test_joins_conditions(self):
        for script in (True, False):
            page = self.open(script=script)
            page.locator("[data-key=f] > summary").click()
            form = page.locator("[data-key=f] form").first
            form.get_by_label("Conditions that must hold").select_option("or")
            lines = form.locator(".cond")
            for index, (column, comparison, value) in enumerate((("city", "in", "Oslo,Paris"), ("age", "gte", "70"))):
                line = lines.nth(index)
                line.get_by_label("Column").select_option(column)
                line.get_by_label("Condition").select_option(comparison)
                line.get_by_label("Value").fill(value)
            self.assertEqual([line.is_visible() for line in lines.all()], [True, True, True, False])
            form.get_by_role("button", name="Apply").click()
            page.wait_for_url(lambda address: "or=(city__in=(Oslo,Paris),age__gte=70)" in unquote(address))
            rows = list(zip(self.column(page, "city"), self.column(page, "age")))
            self.assertGreater(len(rows), 5)
            self.assertTrue(all(city in ("Oslo", "Paris") or int(age or 0) >= 70 for city, age in rows))
            # The chip has the same form.
            page.locator(".chip summary").click()
            form = page.locator(".chip form")
            form.locator(".cond").nth(0).get_by_label("Value").fill("Oslo")
            form.get_by_label("Conditions that must hold").select_option("")
            form.get_by_role("button", name="Apply").click()
            page.wait_for_url(lambda address: "city__in=Oslo" in address and "age__gte=70" in address and "or=" not in address)
            page.go_back()
            page.wait_for_url(lambda address: "or=(city__in=(Oslo,Paris),age__gte=70)" in unquote(address))
            self.assertEqual(page.errors, [])

    def test_shows_sums_below_their_columns(self):
        page = self.open("/people?city=Oslo&limit=500")
        self.menu(page, "age", "Sum")
        page.wait_for_url("**sum=age*")
        self.menu(page, "age", "Filled")
        page.wait_for_url("**filled=age*")
        sections = page.locator("tbody").evaluate_all(
            """(all, at) => all.map((body) => {
                const ages = [...body.querySelectorAll("[id^=r-]")].map((row) => row.children[at].textContent).filter((age) => age !== "");
                const below = [...body.querySelectorAll(".sums td")][at];
                return [ages.length, ages.reduce((sum, age) => sum + +age, 0), below.innerText.replace(",", "")];
            })""",
            page.locator("th[data-c=age]").evaluate("head => head.cellIndex"),
        )
        for count, total, below in sections:
            self.assertEqual(below, f"Sum {total}\nFilled {count}")
        self.menu(page, "age", "Sum")
        page.wait_for_url(lambda address: "sum=" not in address and "filled=age" in address)
        page.go_back()
        page.wait_for_url("**sum=age*")
        self.assertEqual(page.errors, [])

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

    def test_goes_to_the_end_of_a_list_that_is_not_counted(self):
        for script in (True, False):
            page = self.open("/many?limit=100", script)
            for _ in range(2):
                page.get_by_role("link", name="Last").click()
                page.wait_for_url("**before=end*")
                page.wait_for_selector(f"{ROWS}:has-text('#10500') >> nth=0")
                self.assertEqual(page.locator(".pages [rel=next]").count(), 0)
                self.assertEqual(self.column(page, "name")[-1], "#10500")
                page.get_by_role("link", name="Previous").click()
                page.wait_for_selector(f"{ROWS}:has-text('#10400') >> nth=0")
            page.get_by_label("Page", exact=True).fill("103")
            page.keyboard.press("Enter")
            page.wait_for_url("**page=103*")
            page.wait_for_selector(f"{ROWS}:has-text('#10300') >> nth=0")
            page.go_back()
            page.wait_for_selector(f"{ROWS}:has-text('#10400') >> nth=0")

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
            page.wait_for_function("document.querySelector('[name=q]').value === ''")
            self.assertEqual(page.evaluate("document.activeElement.name"), "q")
            page.keyboard.type("ken")
            page.wait_for_url("**q=ken")
            page.go_back()
            page.wait_for_url("**/people")
            page.go_forward()
            page.wait_for_function("document.querySelector('[name=q]').value === 'ken'")

    def test_text_that_is_erased_before_its_answer_makes_no_step(self):
        page = self.open("/")
        page.goto(self.service.base + "/people")
        page.route("**/narrow?q=gr", lambda route: None)
        page.get_by_role("searchbox").focus()
        with page.expect_request("**/narrow?q=gr"):
            page.keyboard.type("gr")
        with page.expect_response("**/people"):
            page.keyboard.press("Backspace")
            page.keyboard.press("Backspace")
        page.wait_for_function("document.querySelector('#status').textContent.endsWith('rows')")
        page.keyboard.type("ace")
        page.wait_for_url("**q=ace")
        page.go_back()
        page.wait_for_url("**/people")
        page.go_back()
        page.wait_for_url(self.service.base + "/")

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
            ["Filtern 1", "Gruppieren", "Sortieren", "Spalten", "Ansicht"],
        )
        page.locator("th[data-c=age] .cm").click()
        self.assertIn("Aufsteigend sortieren", page.locator("#cm").inner_text())
        page.keyboard.press("Escape")
        page.locator("[data-key=f] > summary").click()
        form = page.locator("[data-key=f] form").first
        line = form.locator(".cond").first
        line.locator("[name=form__column]").select_option("age")
        line.locator("[name=form__is]").select_option("lte")
        line.locator("[name=form__value]").fill("40,5")
        form.get_by_role("button").click()
        page.wait_for_url("**age__lte=40.5*")


if __name__ == "__main__":
    unittest.main()
