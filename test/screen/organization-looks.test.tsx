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
