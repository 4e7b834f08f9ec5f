import {expect, test} from 'vitest';
import type {SessionItem} from '../../../src/state/sessions/session-items.ts';
import {lineText, lineWidth} from '../../../src/text/cells/line.ts';
import {inboxColumns, inboxRow, reasonRows} from '../../../src/ui/dialogs/inbox-row.ts';
import {noon} from '../../support/fleet.ts';

const item: SessionItem = {
	kind: 'session',
	id: 's',
	group: 'needs',
	state: 'permission',
	name: 'fix-login 数据库迁移 第二阶段 of the payment suite',
	since: noon - 12 * 60_000,
	reason: 'May I run the whole migration on staging and then on production?',
	computerName: 'build-box',
};
const marked = (until?: number): SessionItem => ({
	...item,
	group: 'seen',
	mark: {
		subject: {kind: 'session', id: 's'},
		episode: '',
		kind: until === undefined ? 'acknowledged' : 'snoozed',
		at: noon - 60_000,
		...(until !== undefined && {until}),
	},
});

test('a row is never wider than its room, and always shows state and waiting time', () => {
	for (let width = 33; width <= 120; width++)
		for (const one of [item, marked(), marked(noon + 86_400_000)]) {
			const line = inboxRow(one, inboxColumns([item, one], width), noon);
			expect(lineWidth(line)).toBeLessThanOrEqual(width);
			expect(lineText(line)).toMatch(/ ! asks .*(waiting 12m|acknowledged 1m|tomorrow \d\d:\d\d)/);
		}
});

test('shows the question and the computer if there is room, or else the reason below', () => {
	const text = (width: number) => lineText(inboxRow(item, inboxColumns([item], width), noon));
	expect(text(80)).toContain('fix-login 数据库迁移 第二阶段 of the paymen');
	expect(text(80)).not.toContain('May I');
	expect(reasonRows(item, 40, 2).map(lineText)).toEqual([
		'May I run the whole migration on staging',
		'and then on production?',
	]);
	expect(text(110)).toMatch(/build-box +waiting 12m +May I run/);
});
