import {execFile} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import type {SampleSession} from './beat.ts';
import {folderOf} from './seed.ts';

const run = promisify(execFile);

/** What the branches of the sample began with. */
const before: Readonly<Record<string, string>> = {
	'internal/webhook/retry.go': 'package webhook\n\nconst maxAttempts = 3\n',
	'test/login.test.ts': `import {expect, test, vi} from 'vitest';
import {login} from 'harbor/login';

test('a session ends after an hour', async () => {
	const session = await login('ann', 'correct horse');
	vi.useFakeTimers();
	vi.advanceTimersByTime(3_600_000);
	expect(session.isOpen).toBe(false);
});
`,
};

/** Makes the folders of the sessions, with real repositories where there is git: changes are shown, and committed. */
export async function makeRepositories(home: string, sessions: readonly SampleSession[]): Promise<void> {
	const byRepo = Map.groupBy(sessions, ({repo}) => repo);
	for (const {repo} of sessions) mkdirSync(join(home, repo), {recursive: true});
	writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Robin Berg\n\temail = robin@harbor.example\n');
	await Promise.all(
		[...byRepo].map(async ([repo, all]) => {
			const folder = join(home, repo);
			const git = (...args: string[]) => run('git', args, {cwd: folder, env: {...process.env, HOME: home}});
			writeFiles(folder, {'README.md': `# ${repo}\n`});
			const branches = all.flatMap(session =>
				session.branch ? [{...session.branch, folder: folderOf(session, home)}] : [],
			);
			if (branches.length === 0) return;
			for (const {files} of branches)
				writeFiles(
					folder,
					Object.fromEntries(
						Object.keys(files).flatMap(name => (before[name] ? [[name, before[name]]] : [])),
					),
				);
			try {
				await git('init', '-q', '-b', 'main');
				await git('add', '-A');
				await git('commit', '-q', '-m', 'Begin');
				for (const {name, folder: tree} of branches) await git('worktree', 'add', '-q', '-b', name, tree);
			} catch {
				// Without git, the demo shows no changes.
			}
			for (const {files, folder: tree} of branches) writeFiles(tree, files);
		}),
	);
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) {
		const file = join(folder, name);
		mkdirSync(dirname(file), {recursive: true});
		writeFileSync(file, text);
	}
}
