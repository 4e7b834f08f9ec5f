import {execFileSync} from 'node:child_process';
import {appendFileSync, cpSync, mkdirSync, mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {temporaryFolder} from './local-service.ts';

/** A real git repository with one commit. `url` is what to clone it by. */
export type GitRepository = {readonly folder: string; readonly url: string};

export function createRepository(files: Readonly<Record<string, string>>): GitRepository {
	const folder = join(temporaryFolder(), 'project');
	makeRepository(folder, files);
	return {folder, url: pathToFileURL(folder).href};
}

/** A repository of each set of files that was asked for; it is copied, as git needs several processes to make one. */
const originals = new Map<string, string>();

export function makeRepository(folder: string, files: Readonly<Record<string, string>>): void {
	const key = JSON.stringify(files);
	const original = originals.get(key) ?? makeOriginal(files);
	originals.set(key, original);
	cpSync(original, folder, {recursive: true});
}

function makeOriginal(files: Readonly<Record<string, string>>): string {
	const folder = mkdtempSync(join(tmpdir(), 'repository-'));
	writeFiles(folder, files);
	// Without the samples of hooks.
	run(folder, 'git init --quiet --template= --initial-branch=main');
	appendFileSync(join(folder, '.git/config'), '[user]\n\tname = Test\n\temail = test@example.org\n');
	commitAll(folder, 'first');
	return folder;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), {recursive: true});
		writeFileSync(join(folder, path), text);
	}
}

export function commitAll(folder: string, message: string): void {
	const settings = '-c user.name=Test -c user.email=test@example.org -c maintenance.auto=false';
	run(folder, `git add --all && git ${settings} commit --quiet -m "$0"`, message);
}

function run(cwd: string, script: string, argument = ''): void {
	execFileSync('sh', ['-c', script, argument], {cwd, stdio: 'ignore'});
}

/** A package with one dependency that lies in the repository itself, so that installing it needs no network. */
export function packageFiles(scripts: Readonly<Record<string, string>> = {}): Record<string, string> {
	const manifest = {name: 'project', version: '1.0.0', dependencies: {dep: 'file:dep'}, scripts};
	const lock = {
		name: 'project',
		version: '1.0.0',
		lockfileVersion: 3,
		requires: true,
		packages: {
			'': {name: 'project', version: '1.0.0', dependencies: {dep: 'file:dep'}},
			dep: {version: '1.0.0'},
			'node_modules/dep': {resolved: 'dep', link: true},
		},
	};
	return {
		'package.json': JSON.stringify(manifest),
		'package-lock.json': JSON.stringify(lock),
		'dep/package.json': JSON.stringify({name: 'dep', version: '1.0.0'}),
		'README.md': '# Project\n',
	};
}
