import {statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import {onlyAccountFile} from '../support/account-files.ts';
import {jsonLines} from '../support/cli.ts';
import {type Commands, commandsAt, withoutWaits} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

const env = {QUARTERDECK_BASE_URL: 'http://127.0.0.1:9', QUARTERDECK_API_KEY: 'key'};
const day = 24 * 60 * 60_000;

/** A database with two sessions that were read yesterday and the day before, and one that is open now. */
async function filled(): Promise<{cli: Commands; file: string}> {
	const cli = withoutWaits(commandsAt(temporaryFolder()));
	await cli.run(['sessions', 'add', 'new'], {env});
	const file = onlyAccountFile(cli.stateFolder);
	for (const [sessionId, age, count] of [
		['old', 2 * day, 60],
		['newer', day, 40],
		['new', 0, 20],
	] as const) {
		const database = openDatabase({file, now: () => Date.now() - age});
		database.messages.put(
			sessionId,
			Array.from({length: count}, (_, i) => ({
				message: {id: `m${i}`, createdAt: Date.now() - 3 * day, content: [{text: 'y'.repeat(5000)}]},
			})),
		);
		database.messages.setListingState(sessionId, {isComplete: true});
		const known = database.sessions.get(sessionId);
		if (known)
			database.sessions.put({...known, name: 'My own name', session: {sessionId, title: 'Its title'}});
		if (sessionId === 'old') database.drafts.put('old', {text: 'mine', images: [], files: [], updatedAt: 1});
		database.close();
	}
	return {cli, file};
}

test('stored data is listed by session, and pruned down to a size', async () => {
	const {cli, file} = await filled();
	const shown = await cli.run(['storage'], {env});
	expect(shown.stdout).toMatch(/: \d+ kB of at most 2\.0 GB; \d+ kB on disk in .*\n/);
	expect(shown.stdout).toMatch(
		/old +- +3\d\d kB +60 +3d +2d\nnewer +- +2\d\d kB +40 +3d +\S+\nnew +My own name /,
	);
	const [all] = jsonLines((await cli.run(['storage', '--json'], {env})).stdout);
	const found = await cli.run(['search', 'yyyy', '--limit', '1'], {env});
	expect(found.stdout).toMatch(/^new {2}My own name {2}/);
	expect(all).toMatchObject({
		file,
		limit: 2e9,
		sessions: [{sessionId: 'old', messages: 60}, {}, {sessionId: 'new'}],
	});
	const [one] = jsonLines((await cli.run(['storage', '--limit', '1', '--json'], {env})).stdout);
	expect(one).toMatchObject({used: all?.used, sessions: [{sessionId: 'old'}]});
	expect((await cli.run(['storage', '--limit', '1'], {env})).stdout).toMatch(
		/ of at most .*\nSESSION.*\nold .*\ntotal: \d+ kB on disk\n$/,
	);
	const before = statSync(file).size;
	const pruned = await cli.run(['storage', 'prune', '--to', `${Number(all?.used) - 1} B`, '--yes'], {env});
	expect(pruned).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/deleted the cached messages of 1 session:/),
	});
	expect(statSync(file).size).toBeLessThan(before - 200_000);
	const [left] = jsonLines((await cli.run(['storage', '--json'], {env})).stdout);
	expect(left?.sessions).toMatchObject([{sessionId: 'newer'}, {sessionId: 'new'}]);
	const database = openDatabase({file});
	expect(database.drafts.get('old')?.text).toBe('mine');
	database.close();
});

test("the embedded service's data is shown with the rest", async () => {
	const cli = withoutWaits(commandsAt(temporaryFolder()));
	await cli.start(['serve']).until(/socket/);
	await cli.run(['--local', 'computers', 'create', '--name', 'box', '--remote-user', 'me']);
	const file = join(cli.stateFolder, 'local/service.sqlite');
	const {stdout} = await cli.run(['--local', 'storage']);
	expect(stdout).toMatch(/embedded service: \d+ kB in \S+local\/service\.sqlite/);
	const rows = jsonLines((await cli.run(['storage', '--json'], {env})).stdout);
	expect(rows.at(-1)).toMatchObject({file});
	expect(rows.at(-1)?.bytes).toBeGreaterThanOrEqual(statSync(file).size);
});

test('pruning with nothing to delete reports the same size before and after', async () => {
	const {cli} = await filled();
	await cli.run(['storage', 'prune', '--yes'], {env});
	const [pruned] = jsonLines((await cli.run(['storage', 'prune', '--yes', '--json'], {env})).stdout);
	expect(pruned).toMatchObject({sessions: 0, after: pruned?.before});
});

test("pruning asks first, and says what it couldn't do", async () => {
	const {cli} = await filled();
	const asked = await cli.run(['storage', 'prune'], {env});
	expect(asked).toMatchObject({code: 2, stderr: expect.stringContaining('--yes')});
	const wrong = await cli.run(['storage', 'prune', '--to', 'little', '--yes'], {env});
	expect(wrong).toMatchObject({code: 2, stderr: expect.stringContaining('such as 500 MB')});
	const all = await cli.run(['storage', 'prune', '--to', '0', '--yes'], {env});
	expect(all).toMatchObject({code: 1, stderr: expect.stringContaining('still over the target')});
	expect(all.stdout).toContain('messages of 2 sessions');
});
