import {chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	isPrivateFolder,
	openRuntimeFolder,
	type RuntimeEnvironment,
	RuntimeFolderError,
	runtimeFolders,
} from '../../../hooks/runtime-folder.ts';
import {formatSocketName, parseSocketName} from '../../../hooks/sockets.ts';
import {spoolFolders} from '../../../hooks/spool.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';

const uid = process.getuid?.() ?? -1;

function environment(env: NodeJS.ProcessEnv): RuntimeEnvironment {
	return {env, uid};
}

test.each([
	[{XDG_RUNTIME_DIR: '/run/user/7', TMPDIR: '/t'}, ['/run/user/7/quarterdeck', `/t/quarterdeck-${uid}`]],
	[{XDG_RUNTIME_DIR: 'relative'}, [`/tmp/quarterdeck-${uid}`]],
	[{TMPDIR: 'relative'}, [`/run/user/${uid}/quarterdeck`, `/tmp/quarterdeck-${uid}`]],
	[{}, [`/run/user/${uid}/quarterdeck`, `/tmp/quarterdeck-${uid}`]],
])('with %o, programs may listen in %o', (env, folders) => {
	expect(runtimeFolders(environment(env))).toEqual(folders);
});

test('makes the folder for us alone', () => {
	const {env, runtime} = temporaryHookFolders();
	expect(openRuntimeFolder(environment(env))).toBe(runtime);
	expect(statSync(runtime).mode & 0o777).toBe(0o700);
	expect(openRuntimeFolder(environment(env))).toBe(runtime);
});

test("uses the temporary folder if the runtime folder isn't ours alone", () => {
	const {env, root} = temporaryHookFolders();
	chmodSync(join(root, 'run'), 0o755);
	expect(openRuntimeFolder(environment(env))).toBe(join(root, 'tmp', `quarterdeck-${uid}`));
});

test.each(['a link', 'a file', 'a folder for all'])('refuses %s in place of the last folder', kind => {
	const {env, root} = temporaryHookFolders();
	const folder = join(root, 'tmp', `quarterdeck-${uid}`);
	if (kind === 'a link') symlinkSync(join(root, 'run'), folder);
	if (kind === 'a file') writeFileSync(folder, '');
	if (kind === 'a folder for all') {
		mkdirSync(folder);
		chmodSync(folder, 0o777);
	}
	const temporaryOnly = environment({TMPDIR: env.TMPDIR});
	expect(() => openRuntimeFolder(temporaryOnly)).toThrow(RuntimeFolderError);
	rmSync(folder, {recursive: true});
	expect(openRuntimeFolder(temporaryOnly)).toBe(folder);
});

test("another user's folder is not private", () => {
	const {root} = temporaryHookFolders();
	expect(isPrivateFolder(root, environment({}))).toBe(true);
	expect(isPrivateFolder(root, {...environment({}), uid: uid + 1})).toBe(false);
});

test("a socket's name identifies its process; other names aren't read", () => {
	const name = {startedAt: 1_795_229_102_892, pid: 4242, tag: '0badcafe'};
	expect(parseSocketName(formatSocketName(name))).toEqual(name);
	for (const other of ['x.sock', 'a-1-.sock', '../a-1-ffff.sock', 'a-1-ffff.sock.old']) {
		expect(parseSocketName(other)).toBeUndefined();
	}
});

test('events wait in the state folder first, and in the runtime folders last', () => {
	const env = {XDG_STATE_HOME: '/s', HOME: '/h', XDG_RUNTIME_DIR: '/r', TMPDIR: '/t'};
	expect([...spoolFolders(environment(env))]).toEqual([
		'/s/quarterdeck/spool',
		'/h/.local/state/quarterdeck/spool',
		'/r/quarterdeck/spool',
		`/t/quarterdeck-${uid}/spool`,
	]);
});
