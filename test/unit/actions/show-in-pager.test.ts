import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {showInPager} from '../../../src/actions/user-programs.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {temporaryFolder} from '../../support/local-service.ts';

afterEach(() => vi.unstubAllEnvs());

test('gives the pager the text in a temporary file, and keeps it open even if the text is short', async () => {
	const folder = temporaryFolder();
	const pager = join(folder, 'pager');
	writeFileSync(
		pager,
		`#!/bin/sh\ncd '${folder}'\ncp "$2" shown\necho "$2" > path\nstat -c %a "$2" > rights\nenv > environment\nexit 3\n`,
	);
	chmodSync(pager, 0o755);
	vi.stubEnv('PAGER', `'${pager}' -s`);
	vi.stubEnv('LESS', 'FRX');
	vi.stubEnv('QUARTERDECK_API_KEY', 'k-canary');
	const parts = appParts(fakeClock());
	await showInPager(parts.actions, safe`all of it`);
	const read = (name: string) => readFileSync(join(folder, name), 'utf8');
	expect(read('shown')).toBe('all of it');
	expect(read('rights')).toBe('600\n');
	expect(existsSync(dirname(read('path').trim()))).toBe(false);
	expect(read('environment')).toMatch(/^LESS=FRX\$ -\+F$/m);
	expect(read('environment')).not.toMatch(/canary/);
	expect(parts.stores.notices.getState().list).toEqual([]);
});

test("reports a pager that doesn't exist", async () => {
	vi.stubEnv('PAGER', 'no-such-pager-here');
	const parts = appParts(fakeClock());
	await showInPager(parts.actions, safe`text`);
	expect(parts.stores.notices.getState().list[0]?.text).toMatch(/"no-such-pager-here" was not found/);
});

test("reports a pager that can't be run", async () => {
	const pager = join(temporaryFolder(), 'pager');
	writeFileSync(pager, '#!/bin/sh\n', {mode: 0o644});
	vi.stubEnv('PAGER', pager);
	const parts = appParts(fakeClock());
	await showInPager(parts.actions, safe`text`);
	expect(parts.stores.notices.getState().list[0]?.text).toMatch(
		/"[^"]+pager" can't be run: set PAGER to another one/,
	);
});
