import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {openLink} from '../../../src/actions/user-programs.ts';
import {appParts} from '../../support/app-parts.ts';
import {eventually} from '../../support/eventually.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {temporaryFolder} from '../../support/local-service.ts';

afterEach(() => vi.unstubAllEnvs());

/** A folder with an opener that records its arguments and ends with `code`. */
function openerIn(folder: string, code: number): void {
	for (const name of ['xdg-open', 'open']) {
		const lines = `#!/bin/sh\nprintf '%s\\n' "$#" "$1" "$QUARTERDECK_API_KEY" > '${folder}/record'\nexit ${code}\n`;
		writeFileSync(join(folder, name), lines);
		chmodSync(join(folder, name), 0o755);
	}
	vi.stubEnv('PATH', folder);
	vi.stubEnv('QUARTERDECK_API_KEY', 'k-canary');
}

test("passes a link to the system's opener as one argument, without the key", async () => {
	const folder = temporaryFolder();
	openerIn(folder, 0);
	const {actions, stores} = appParts(fakeClock());
	await openLink(actions, 'https://a.example/x y;$(touch z)');
	const record = await eventually(() => {
		const text = readFileSync(join(folder, 'record'), 'utf8');
		expect(text).toMatch(/\n\n$/);
		return text;
	});
	expect(record).toBe('1\nhttps://a.example/x%20y;$(touch%20z)\n\n');
	await eventually(() => expect(stores.notices.getState().list[0]?.text).toMatch(/^Opening https:/));
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', '--version', 'https://me:secret@a.example/'])(
	"doesn't open %s",
	async address => {
		const {actions, stores} = appParts(fakeClock());
		await openLink(actions, address);
		expect(stores.notices.getState().list[0]?.text).toMatch(/only http, https and mailto/);
	},
);

test('says so when the system has no opener, and when the opener fails', async () => {
	const {actions, stores} = appParts(fakeClock());
	const last = () => stores.notices.getState().list.at(-1)?.text;
	const folder = temporaryFolder();
	vi.stubEnv('PATH', folder);
	await openLink(actions, 'https://a.example/');
	await eventually(() => expect(last()).toMatch(/is not installed/));
	openerIn(folder, 3);
	await openLink(actions, 'https://a.example/');
	await eventually(() => expect(last()).toMatch(/ended with 3/));
});
