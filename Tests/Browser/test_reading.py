"""A page that takes long to read shows it, and the reader can cancel it."""

import browser
from service import Service, write_people

ROWS = "#list [id^='r-']"
TEXTS = {
    "en": ("Reading the rows…", "Cancel"),
    "de": ("Die Zeilen werden gelesen …", "Abbrechen"),
    "he": ("השורות נקראות…", "ביטול"),
}


class ReadingTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = cls.file("people.csv")
        write_people(people, 60)
        cls.serve(Service(f"people={people}"))

    def open(self, **options):
        page = self.browser.page(**options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + "/people?limit=5")
        return page

    def hold(self, page):
        """Lets no response arrive until its request is aborted."""
        page.evaluate(
            """() => {
                window.aborted = 0;
                window.fetch = (address, { signal }) => new Promise((_, reject) =>
                    signal.onabort = () => { window.aborted += 1; reject(signal.reason); });
            }"""
        )

    def shown(self, page):
        return page.url, page.eval_on_selector_all(ROWS, "rows => rows.map((row) => row.innerText)")

    def cancel(self, page, by):
        self.hold(page)
        before = self.shown(page)
        page.click("thead th[data-c='name'] a")
        page.wait_for_selector("#reading")
        self.assertEqual(page.evaluate("document.body.ariaBusy"), "true")
        texts = TEXTS[page.evaluate("document.documentElement.lang")]
        self.assertEqual(page.inner_text("#reading").split("\n")[0], " ".join(texts))
        # The region that screen readers follow.
        self.assertEqual(page.text_content("#status[role=status]"), texts[0])
        by()
        page.wait_for_selector("#reading", state="detached")
        self.assertEqual(page.evaluate("document.body.ariaBusy"), None)
        self.assertEqual(self.shown(page), before)
        self.assertEqual(page.evaluate("window.aborted"), 1)
        self.assertEqual(page.errors, [])

    def test_cancels_by_the_button_in_every_language_and_theme(self):
        for theme, language in (("light", "en"), ("dark", "de"), ("dark", "he")):
            page = self.open(theme=theme, locale=language)

            def click():
                self.assertEqual(browser.violations(page), [])
                self.assertEqual(browser.overflow(page) + browser.small_targets(page), [])
                page.click("#reading button")

            self.cancel(page, click)

    def test_cancels_by_escape(self):
        page = self.open()
        self.cancel(page, lambda: page.keyboard.press("Escape"))

    def test_shows_nothing_of_a_page_that_is_read_at_once(self):
        page = self.open()
        page.evaluate(
            """() => new MutationObserver((changes) => {
                for (const { addedNodes } of changes)
                    for (const node of addedNodes) if (node.id === "reading") document.title = "reading";
            }).observe(document.body, { childList: true, subtree: true })"""
        )
        page.click("thead th[data-c='name'] a")
        page.wait_for_url("**sort=**")
        self.assertNotEqual(page.title(), "reading")
