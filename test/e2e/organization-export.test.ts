import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {addDays, utcDayOf} from '../../src/domain/time.ts';
import {startFaultServer} from '../support/fault-server.ts';
import {createOrganization} from '../support/organization.ts';
import {organizationReply} from '../support/organization-server.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const yesterday = addDays(utcDayOf(Date.now()), -1);
const organization = createOrganization({
	users: 20,
	range: {startDate: addDays(yesterday, -59), endDate: yesterday},
	seed: 5,
	unattributed: 0.1,
});

test('a page is exported, as the service reported it, to the start folder and the clipboard', async () => {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise(organizationReply(organization));
	const home = emptyHome();
	const env = {...home, QUARTERDECK_BASE_URL: server.url, QUARTERDECK_API_KEY: 'k-0123456789'};
	const folder = home.HOME ?? '';
	const terminal = openProgram(['--view', 'usage'], env, {columns: 120, rows: 40});
	await terminal.see('By model');
	terminal.type('x');
	await terminal.see('Export this page');
	const name = `usage-credits-by-day-${addDays(yesterday, -27)}-${yesterday}.csv`;
	await terminal.see('all 6 shown');
	for (const key of ['shift+tab', 'shift+tab', 'right'] as const) terminal.press(key);
	await terminal.see(name);
	terminal.press('enter');
	terminal.press('enter');
	terminal.press('enter');
	await terminal.see(/Wrote /);
	const file = join(folder, name);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	const rows = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
	const reported = organization.tokens().slice(-28);
	expect(rows.map(row => row.split(',').slice(0, 2).join())).toEqual(
		reported.map(row => `${row.date},${row.billable_tokens}`),
	);

	// The name that was taken is not offered again, and typed all the same it asks.
	terminal.type('x');
	await terminal.see('all 6 shown');
	for (const key of ['shift+tab', 'shift+tab', 'right'] as const) terminal.press(key);
	await terminal.see(name.replace('.csv', '-2.csv'));
	terminal.press('esc');
	await terminal.gone('Export this page');

	terminal.type('a');
	await terminal.see('By weekday');
	terminal.type('y');
	await terminal.see(/Copied \d+ rows in \d tables of usage-adoption as CSV/);
	const copied = /\x1b\]52;c;([\w+/=]+)/.exec(terminal.output())?.[1] ?? '';
	expect(Buffer.from(copied, 'base64').toString()).toMatch(
		/^by day\ndate,daily_active_users,weekly_active_users,/,
	);

	const days = [addDays(yesterday, -9), addDays(yesterday, -3)] as const;
	terminal.type('d');
	await terminal.see('Date range');
	terminal.press('ctrl+u');
	terminal.type(days[0]);
	terminal.press('tab');
	terminal.press('ctrl+u');
	terminal.type(days[1]);
	terminal.press('enter');
	await terminal.see(`7 days  ${days[0]} to ${days[1]} UTC`);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	expect(readdirSync(folder).filter(one => one.startsWith('usage-'))).toEqual([name]);
}, 60_000);
