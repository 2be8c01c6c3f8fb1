// Relative times. The page has the exact time, because a stored page may be old.

import { all } from "./document.js";

const units = [["year", 31557600e3], ["month", 2629800e3], ["day", 864e5], ["hour", 36e5], ["minute", 6e4], ["second", 1e3]];
const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });

export function updateTimes() {
  for (const time of all("time[datetime]")) {
    const distance = new Date(time.dateTime) - Date.now();
    const [unit, size] = units.find(([, size]) => Math.abs(distance) >= size) ?? units.at(-1);
    const text = distance ? format.format(Math.trunc(distance / size), unit) : time.textContent;
    time.title ||= time.textContent;
    if (time.textContent !== text) time.textContent = text;
  }
}
