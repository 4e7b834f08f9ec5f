import {expect, test} from 'vitest';
import {openSession} from '../../src/ui/open-session.ts';
import {openScreen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

function work(columns: number, rows: number) {
	const {parts} = workParts();
	openSession(parts, 's-api', 'main');
	const opened = openScreen(parts, columns, rows);
	const sees = (text: string) => opened.until(lines => lines.join('\n').includes(text));
	return {parts, screen: opened, sees};
}

test.each([
	[80, 24],
	[200, 50],
] as const)(
	'%i x %i: nothing stands beside a dialog, and the panes above and below it are whole',
	async (columns, rows) => {
		const {screen, sees} = work(columns, rows);
		await sees('api-migration');
		const before = await screen.rows();
		await screen.press('\x10');
		await sees('Commands');
		const after = await screen.rows();
		const top = after.findIndex(row => row.includes('─ Commands '));
		const bottom = after.findIndex((row, y) => y > top && /^ *╰.*╯ *$/.test(row));
		expect(bottom).toBeGreaterThan(top);
		for (const row of after.slice(top, bottom + 1)) expect(row).toMatch(/^ *[╭│╰].*[╮│╯] *$/);
		for (const [y, row] of after.slice(0, -1).entries())
			if (y > 0 && (y < top || y > bottom))
				expect(row.replace(/\d+s/, '')).toBe(before[y]?.replace(/\d+s/, ''));
	},
);

test('the links of a message are listed by number, and one is copied', async () => {
	const {parts, screen, sees} = work(120, 40);
	await sees('api-migration');
	const {open} = parts.stores.streams.getState();
	const stream = open.get('s-api');
	if (!stream) throw new Error('The session is open.');
	const content = [{type: 'text', text: 'See https://a.example/1 and [more](https://b.example/two).'}];
	const message = {id: 'm-links', role: 'assistant', content, createdAt: parts.actions.clock.now()} as const;
	const entry = {kind: 'message', id: 'm-links', version: 1, message, role: 'assistant'} as const;
	const outbox = {bySession: new Map()};
	parts.stores.outbox.setState(outbox);
	parts.stores.streams.setState({
		open: new Map([['s-api', {...stream, entries: [...stream.entries, entry]}]]),
	});
	await sees('See https://a.example/1');
	await screen.press('L');
	await sees('Links in the message');
	const rows = (await sees('2  https://b.example/two')).join('\n');
	expect(rows).toContain('1  https://a.example/1');
	// Digits that arrive together choose nothing.
	await screen.press('12');
	await screen.press('jy');
	await sees('Copied the link, 21 characters');
	await screen.press('k', 'L');
	await sees('This message has no links');
});
