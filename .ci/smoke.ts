import {strict as assert} from 'node:assert';
import {execFileSync, spawnSync} from 'node:child_process';
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

// The packed tarball, installed in an empty folder, as its users will have it: its version, its help and one hook event.
const top = resolve(import.meta.dirname, '..');
const {version} = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-smoke-'));
try {
	const npm = (...args: string[]) =>
		execFileSync('npm', args, {cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit']});
	const [packed] = JSON.parse(npm('pack', top, '--json', '--ignore-scripts', '--pack-destination', folder));
	writeFileSync(join(folder, 'package.json'), '{"private": true}');
	npm('install', '--offline', join(folder, packed.filename));
	const bin = (name: string) => join(folder, 'node_modules/.bin', name);

	const state = join(folder, 'state');
	const runtime = join(folder, 'run');
	mkdirSync(runtime, {mode: 0o700});
	const env = {
		PATH: process.env.PATH,
		HOME: folder,
		XDG_STATE_HOME: state,
		XDG_RUNTIME_DIR: runtime,
		TMPDIR: folder,
	};
	for (const name of ['quarterdeck', 'qd'])
		assert.equal(run(bin(name), ['--version'], env).stdout.trim(), version);
	assert.match(run(bin('quarterdeck'), ['--help'], env).stdout, /quarterdeck/);
	const manPage = readFileSync(join(folder, 'node_modules/quarterdeck/dist/quarterdeck.1'), 'utf8');
	assert.match(manPage, /^\.TH QUARTERDECK 1/);

	const event = JSON.stringify({hook_event_name: 'Notification', session_id: 'smoke', message: 'needs you'});
	const hook = run(bin('quarterdeck-hook'), ['--client', 'claude'], env, event);
	assert.equal(hook.stdout + hook.stderr, '');
	// The packed program installs hooks that work by themselves, from where the package manager has put it.
	run(bin('quarterdeck'), ['hooks', 'install', '--yes', '--client', 'claude'], env);
	const settings = readFileSync(join(folder, '.claude', 'settings.json'), 'utf8');
	const launcher = join(state, 'quarterdeck', 'quarterdeck-hook');
	assert.ok(settings.includes(`'${launcher}' --client claude`));
	const installed = join(realpathSync(folder), 'node_modules', 'quarterdeck', 'dist', 'hook.cjs');
	assert.ok(readFileSync(launcher, 'utf8').includes(installed));
	run(bin('quarterdeck'), ['hooks', 'test'], env);
	run(bin('quarterdeck'), ['hooks', 'uninstall', '--yes'], env);
	assert.deepEqual(readdirSync(join(folder, '.claude')), []);

	const spool = join(state, 'quarterdeck', 'spool');
	const [spooled] = readdirSync(spool);
	assert.ok(spooled, 'the event was not spooled');
	assert.equal(JSON.parse(readFileSync(join(spool, spooled), 'utf8')).data.session_id, 'smoke');
	process.stdout.write(
		`The packed quarterdeck ${version} installs, starts and takes an event (${packed.size} bytes packed).\n`,
	);
} finally {
	rmSync(folder, {recursive: true, force: true});
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv, input = '') {
	const result = spawnSync(command, args, {env, input, encoding: 'utf8'});
	assert.equal(result.status, 0, `${command} ${args.join(' ')}: ${result.stderr}`);
	return result;
}
