import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {cliAt} from '../support/cli.ts';
import {temporaryFolder} from '../support/local-service.ts';

const top = resolve(import.meta.dirname, '../..');

test('the stack of a bug in the built program names lines of its sources', async () => {
	const home = temporaryFolder();
	const broken = join(home, 'broken.mjs');
	writeFileSync(broken, 'process.getuid = () => { throw new Error("broken for a test"); };');
	const cli = cliAt(home);
	const {stderr} = await cli.run(['--local', 'sessions', 'list'], {
		env: {NODE_OPTIONS: `--import ${broken}`},
	});
	expect(stderr).toContain('broken for a test');
	expect(stderr).not.toMatch(/(commands|screen)\.js/);
	const [, file = '', line = '0'] = /\((src\/[\w/-]+\.ts):(\d+):\d+\)/.exec(stderr) ?? [];
	const source = readFileSync(join(top, file), 'utf8').split('\n');
	expect(source[Number(line) - 1]).toContain('getuid');
});

test('an uncaught error closes a headless command and is reported like any other error', async () => {
	const home = temporaryFolder();
	const broken = join(home, 'broken.mjs');
	const error = 'const error = new RangeError("broken for a test");';
	writeFileSync(
		broken,
		`const {write} = process.stdout;
		process.stdout.write = (...args) => {
			process.stdout.write = write;
			setImmediate(() => { ${error} throw error; });
			return write.apply(process.stdout, args);
		};`,
	);
	const cli = cliAt(home);
	const {code, stdout, stderr} = await cli.run(['serve', '--port', '0'], {
		env: {NODE_OPTIONS: `--import ${broken}`},
	});
	expect(code).toBe(1);
	expect(stderr).toMatch(/^quarterdeck: broken for a test\n/);
	expect(stderr).not.toMatch(/program\.js|Node\.js v/);
	const [, socket = ''] = /^socket +(\S+)$/m.exec(stdout) ?? [];
	expect(socket).toMatch(/service\.sock$/);
	expect(existsSync(socket)).toBe(false);
});
