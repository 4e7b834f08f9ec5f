import {chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {changeConfig} from '../../../src/config/change-config.ts';
import {readConfigFile} from '../../../src/config/config-file.ts';
import {refuseForeignFolder} from '../../../src/config/ownership.ts';
import {temporaryFolder} from '../../support/local-service.ts';

const neighbor = 65533;

/** A configuration, after `change` of the file or its folder. */
function configAfter(what: 'file' | 'folder', change: (path: string) => void): string {
	const folder = join(temporaryFolder(), 'quarterdeck');
	mkdirSync(folder, {mode: 0o755});
	const file = join(folder, 'config.json');
	writeFileSync(file, '{}', {mode: 0o644});
	change(what === 'file' ? file : folder);
	return file;
}

describe.each(['file', 'folder'] as const)('a %s', what => {
	test.each([0o775, 0o757])('that others can write to (%o) is neither obeyed nor changed', mode => {
		const file = configAfter(what, path => chmodSync(path, mode));
		const refusal = /can be changed by others: run chmod go-w on it$/;
		expect(() => readConfigFile(file)).toThrow(refusal);
		expect(() => changeConfig(file, () => ({mouse: false}))).toThrow(refusal);
		expect(readFileSync(file, 'utf8')).toBe('{}');
	});

	test.skipIf(process.getuid?.() !== 0)('of another user is not obeyed', () => {
		const file = configAfter(what, path => chownSync(path, neighbor, neighbor));
		expect(() => readConfigFile(file)).toThrow(/belongs to another user: use one of your own$/);
	});

	test('that only others can read is obeyed', () => {
		expect(readConfigFile(configAfter(what, path => chmodSync(path, 0o755)))).toEqual({});
	});
});

test.each(['file', 'folder'])('a link to a %s that others could replace is not obeyed', what => {
	const [home, shared] = [temporaryFolder(), temporaryFolder()];
	const [place, link] = [join(shared, 'own'), join(home, 'link')];
	mkdirSync(place);
	writeFileSync(join(place, 'config.json'), '{}');
	symlinkSync(what === 'file' ? join(place, 'config.json') : place, link);
	chmodSync(shared, 0o777);
	const file = what === 'file' ? link : join(link, 'config.json');
	const refusal = /can be changed by others: run chmod o-w on it$/;
	expect(() => readConfigFile(file)).toThrow(refusal);
	expect(() => changeConfig(file, () => ({mouse: false}))).toThrow(refusal);
	chmodSync(shared, 0o1777);
	expect(readConfigFile(file)).toEqual({});
});

test('in a folder that others can write to, nothing is written and no link is obeyed', () => {
	const [home, shared] = [temporaryFolder(), temporaryFolder()];
	const [own, file] = [join(home, 'config.json'), join(shared, 'config.json')];
	chmodSync(shared, 0o777);
	expect(() => changeConfig(file, () => ({}))).toThrow(/can be changed by others/);
	writeFileSync(own, '{}');
	symlinkSync(own, file);
	expect(() => readConfigFile(file)).toThrow(/can be changed by others/);
});

const user = 65534;

function folderOf(owner: number, mode = 0o777): string {
	const folder = join(temporaryFolder(), 'quarterdeck');
	mkdirSync(folder);
	chmodSync(folder, mode);
	chownSync(folder, owner, owner);
	return folder;
}

test.skipIf(process.getuid?.() !== 0)(
	'refuses the state folder of another user, even if it is writable',
	() => {
		expect(() => refuseForeignFolder(folderOf(neighbor), user)).toThrow(
			/belongs to another user: set XDG_STATE_HOME/,
		);
		expect(() => refuseForeignFolder(folderOf(0), user)).toThrow(/set XDG_STATE_HOME/);
		for (const [owner, who, mode] of [
			[user, user, 0o777],
			[0, user, 0o755],
			[neighbor, 0, 0o777],
		] as const)
			expect(() => refuseForeignFolder(folderOf(owner, mode), who)).not.toThrow();
	},
);

test('refuses a state folder that others could replace behind a link', () => {
	const [home, shared] = [temporaryFolder(), temporaryFolder()];
	const link = join(home, 'quarterdeck');
	mkdirSync(join(shared, 'own'));
	symlinkSync(join(shared, 'own'), link);
	expect(() => refuseForeignFolder(link)).not.toThrow();
	chmodSync(shared, 0o777);
	expect(() => refuseForeignFolder(link)).toThrow(/can be changed by others: run chmod o-w on it$/);
});

test("accepts a folder that doesn't exist yet", () => {
	expect(() => refuseForeignFolder(join(temporaryFolder(), 'none'), user)).not.toThrow();
});
