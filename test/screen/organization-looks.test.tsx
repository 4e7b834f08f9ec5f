import {describe, expect, test} from 'vitest';
import {addDays} from '../../src/domain/time.ts';
import type {Display} from '../../src/state/view/display.ts';
import {createOrganization} from '../support/organization.ts';
import {isRead, openOrganization, yesterday} from '../support/organization-screen.ts';
import {organizationReply} from '../support/organization-server.ts';
import {has} from '../support/screen.tsx';

const organization = createOrganization({
	users: 12,
	range: {startDate: addDays(yesterday, -59), endDate: yesterday},
	seed: 7,
	missing: 0.1,
	unattributed: 0.1,
});

/** The usage view, shown as `display` says. */
async function opened(display: Partial<Display>, columns = 120, rows = 40) {
	const open = await openOrganization('4', organizationReply(organization), {display, columns, rows});
	await open.screen.until(isRead);
	return open;
}

/** A tab, or what the last one opens, by its key, and words of it. */
const tabs = [
	['c', '[credits]'],
	['a', '[adoption]'],
	['u', '[autonomy]'],
	['o', '[output]'],
	['t', '[tools]'],
	['p', 'CREDITS'],
	['\r', 'Total'],
] as const;
/** Keys that go to the last day of which something is known. */
const toKnownDay = Array.from({length: [...organization.missing].includes(yesterday) ? 1 : 0}, () => 'h');

test('every tab is drawn in ASCII where nothing else is available', async () => {
	const {screen} = await opened({isAscii: true});
	for (const [key, words] of tabs) {
		await screen.press(key);
		await screen.until(has(words));
		for (const [columns, rows] of [
			[80, 24],
			[120, 40],
		] as const) {
			await screen.resize(columns, rows);
			const seen = (await screen.rows()).join('\n');
			expect(seen).toMatch(/^[\n -~]*$/);
			expect(seen).toMatch(/[#^]/);
		}
	}
});

test('series are told apart without color', async () => {
	const {screen} = await opened({theme: 'none', colors: 'none'});
	await screen.until(has('By model'));
	await screen.press(...toKnownDay);
	const credits = (await screen.until(has('model-large '))).join('\n');
	expect(credits).toMatch(/█ model-large [\d,.]+ +▒ model-small [\d,.]+ +░ unattributed [\d,.]+/);
	await screen.press('u');
	const autonomy = (await screen.until(has('90th percentile'))).join('\n');
	expect(autonomy).toMatch(/● mean +[\d.]+ +○ median +[\d.]+ +▲ 90th percentile +[\d.]+/);
	const written = screen.written.join('');
	// The sequences that choose colors.
	expect(written).not.toMatch(/\x1b\[[\d;]*(?:3[0-8]|9[0-7])(?:;[\d;]*)?m/);
});

describe('for a screen reader', () => {
	test.each([
		['c', /Credits: model-large latest [\d,.]+ \(\d{4}-\d\d-\d\d\), (?:rising|falling|steady)/],
		['u', /Tool calls per user turn: mean latest/],
		['t', /Tool calls, .*: highest/],
	] as const)('each chart of tab %s is one sentence', async (key, sentence) => {
		const {screen} = await opened({isScreenReader: true, hasReducedMotion: true, isAscii: true});
		await screen.press(key);
		// Sentences go on in the next row.
		const words = (rows: readonly string[]) => rows.map(row => row.trim()).join(' ');
		const seen = await screen.until(rows => sentence.test(words(rows)));
		expect(seen.join('\n')).not.toMatch(/[━█▒░●○┄]|#{3}/);
	});

	test('the day is given exactly, and the same keys move it', async () => {
		const {screen} = await opened({isScreenReader: true, hasReducedMotion: true, isAscii: true});
		const known = addDays(yesterday, -1);
		await screen.press('t', 'h');
		const day = organization.tools().find(({date}) => date === known);
		await screen.until(has(day ? `${known}  ${day.tool_calls} tool calls` : new RegExp(`${known} +unknown`)));
	});
});
