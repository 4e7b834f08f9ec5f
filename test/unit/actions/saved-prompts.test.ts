import {spawnSync} from 'node:child_process';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {
	createPromptFinder,
	type PromptSources,
	type SavedPrompt,
	takesArguments,
	withArguments,
} from '../../../src/actions/saved-prompts.ts';
import {temporaryFolder} from '../../support/local-service.ts';

function write(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), {recursive: true});
		writeFileSync(join(folder, name), text);
	}
}

function promptsOf(sources: PromptSources): Promise<readonly SavedPrompt[]> {
	const find = createPromptFinder(() => 0);
	return new Promise(resolve => {
		find(sources, () => resolve(find(sources, () => undefined) ?? []));
	});
}

test("finds the files of all folders, the repository's first, and names them by their paths", async () => {
	const home = temporaryFolder();
	const repository = join(home, 'work/shop');
	write(home, {
		'prompts/review.md': 'Review it.',
		'prompts/git/commit.md': '---\ndescription: "Commit what changed"\nmodel: x\n---\nCommit $ARGUMENTS\n',
		'prompts/notes.txt': 'no prompt',
		'.claude/commands/home.md': 'of the home folder, which is no part of the repository',
		'work/shop/.git/HEAD': 'ref: refs/heads/main',
		'work/shop/.claude/commands/review.md': '\n  Review by our rules.\nAll of them.\n',
		'work/shop/packages/web/.factory/commands/deploy.md':
			'---\r\ndescription: Deploy\r\n---\r\nDeploy $1 to $2',
	});
	const folders = [join(home, 'prompts')];
	expect(await promptsOf({folders, workFolder: join(repository, 'packages/web')})).toEqual([
		{name: 'deploy', text: 'Deploy $1 to $2', description: 'Deploy'},
		{name: 'git:commit', text: 'Commit $ARGUMENTS', description: 'Commit what changed'},
		{name: 'review', text: 'Review by our rules.\nAll of them.', description: 'Review by our rules.'},
	]);
	expect((await promptsOf({folders})).map(({name, text}) => [name, text])).toEqual([
		['git:commit', 'Commit $ARGUMENTS'],
		['review', 'Review it.'],
	]);
	// Outside a repository, only the folder itself counts.
	expect((await promptsOf({folders: [], workFolder: join(home, 'work')})).length).toBe(0);
	expect(await promptsOf({folders: [join(home, 'none')], workFolder: join(home, 'none')})).toEqual([]);
});

test('leaves out files that are large, deep or not regular, and never waits for a pipe', async () => {
	const folder = temporaryFolder();
	write(folder, {'large.md': 'x'.repeat(64 * 1024 + 1), 'a/b/c/deep.md': 'too deep', 'ok.md': 'ok'});
	spawnSync('mkfifo', [join(folder, 'pipe.md')]);
	symlinkSync(folder, join(folder, 'circle'));
	symlinkSync('nowhere', join(folder, 'broken.md'));
	const names = (await promptsOf({folders: [folder]})).map(({name}) => name);
	expect(names).toEqual(['circle:circle:ok', 'circle:ok', 'ok']);
});

test("a repository's prompts are files in it: its links lead no further", async () => {
	const home = temporaryFolder();
	const repository = join(home, 'shop');
	write(home, {
		'secret.md': 'key',
		'notes/secret.md': 'key',
		'shop/.git/HEAD': 'ref: refs/heads/main',
		'shop/docs/how.md': 'How',
		'shop/.claude/commands/own.md': 'Own',
		'shop/web/x': '',
	});
	const commands = join(repository, '.claude/commands');
	symlinkSync('../../../secret.md', join(commands, 'file.md'));
	symlinkSync(join(home, 'notes'), join(commands, 'folder'));
	symlinkSync('../../docs', join(commands, 'docs'));
	mkdirSync(join(repository, 'web/.factory'));
	symlinkSync(join(home, 'notes'), join(repository, 'web/.factory/commands'));
	const prompts = await promptsOf({folders: [], workFolder: join(repository, 'web')});
	expect(prompts.map(({name}) => name)).toEqual(['docs:how', 'own']);
	// The user's own folders may be links.
	symlinkSync(join(home, 'notes'), join(home, 'prompts'));
	expect(await promptsOf({folders: [join(home, 'prompts')]})).toHaveLength(1);
});

test('a description is the rest of its line, however much space it contains', async () => {
	const folder = temporaryFolder();
	const gap = ' '.repeat(60_000);
	for (let i = 0; i < 10; i++) write(folder, {[`wide${i}.md`]: `---\ndescription: a${gap}b \n---\nwords`});
	write(folder, {'none.md': '---\ndescription:\nmodel: x\n---\nFirst line.\nSecond.'});
	const descriptions = (await promptsOf({folders: [folder]})).map(({description}) => description);
	expect(descriptions).toEqual(['First line.', ...Array.from({length: 10}, () => `a${gap}b`)]);
});

test.each([
	['Fix $ARGUMENTS.', 'the login', 'Fix the login.'],
	['Fix $ARGUMENTS.', '', 'Fix .'],
	['From $1 to $2, $1', ' a  b c ', 'From a to b, a'],
	['Costs $100 and $PATH', 'x', 'Costs $100 and $PATH\n\nx'],
	['Plain', '', 'Plain'],
	['Insert $1', '$2 $&', 'Insert $2'],
])('expands %s with "%s" to %s', (text, given, expected) => {
	expect(withArguments({name: 'x', text, description: ''}, given)).toBe(expected);
});

test("doesn't take a price or a variable for an argument", () => {
	const takes = (text: string) => takesArguments({name: 'x', text, description: ''});
	expect(['$1', '$ARGUMENTS', '$10', '$PATH', '$ARGUMENTSX', 'none'].map(takes)).toEqual([
		true,
		true,
		false,
		false,
		false,
		false,
	]);
});
