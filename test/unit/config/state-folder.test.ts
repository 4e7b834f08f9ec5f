import {chmodSync, chownSync, mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {refuseForeignFolder} from '../../../src/config/state-folder.ts';
import {temporaryFolder} from '../../support/local-service.ts';

const [user, neighbor] = [65534, 65533];

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
