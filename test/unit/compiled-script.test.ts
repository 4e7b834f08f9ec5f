import {copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runScript} from '../../src/compiled-script.ts';
import {temporaryFolder} from '../support/local-service.ts';

type Greeter = {greet(name: string): string};

function place(text = 'Hello'): {readonly file: string; readonly folder: string; readonly kept: string} {
	const folder = temporaryFolder();
	const file = join(folder, 'program.js');
	const greeting = `"use strict";(function(module,require){
		const {basename} = require('node:path');
		module.exports = {greet: name => '${text} ' + basename(name)};
	})`;
	writeFileSync(file, greeting);
	return {file, folder, kept: join(folder, 'cache/compiled/screen')};
}

/** The same script at another place: within one process, V8 remembers what it compiled by place and content. */
function moved(file: string): string {
	const copy = `${file}.moved.js`;
	copyFileSync(file, copy);
	return copy;
}

describe('a script', () => {
	test('runs, and runs again with the code that was kept', () => {
		const {file, kept} = place();
		const first = runScript<Greeter>({file, identity: 'a'.repeat(16), kept});
		expect(first.exports.greet('/x/ada')).toBe('Hello ada');
		first.keep();
		const {mtimeMs, mode} = statSync(kept);
		expect(mode & 0o777).toBe(0o600);
		const second = runScript<Greeter>({file: moved(file), identity: 'a'.repeat(16), kept});
		expect(second.exports.greet('/x/ada')).toBe('Hello ada');
		second.keep();
		expect(statSync(kept).mtimeMs, 'what is kept is taken, so it is not written again').toBe(mtimeMs);
	});

	test('of another content never runs the code of the one before it, though it is as long', () => {
		const {file, kept} = place('Hello');
		const before = runScript<Greeter>({file, identity: 'a'.repeat(16), kept});
		before.exports.greet('ada');
		before.keep();
		const next = place('Salut');
		const after = runScript<Greeter>({file: next.file, identity: 'b'.repeat(16), kept});
		expect(after.exports.greet('ada')).toBe('Salut ada');
		after.keep();
		expect(readFileSync(kept, 'latin1').startsWith('b'.repeat(16))).toBe(true);
	});

	test('requires other scripts of the build before modules of Node', () => {
		const {file, kept} = place();
		const answer = (id: string) =>
			id === 'node:path' ? {basename: (path: string) => `<${path}>`} : undefined;
		const answered = runScript<Greeter>({file, identity: 'a'.repeat(16), kept, answer});
		expect(answered.exports.greet('/x/ada')).toBe('Hello </x/ada>');
		const unanswered = runScript<Greeter>({file, identity: 'a'.repeat(16), kept, answer: () => undefined});
		expect(unanswered.exports.greet('/x/ada')).toBe('Hello ada');
	});

	test.each([
		['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
		['nothing but its identity', (bytes: Buffer) => bytes.subarray(0, 16)],
		[
			'zeros after its identity',
			(bytes: Buffer) => Buffer.concat([bytes.subarray(0, 16), Buffer.alloc(999)]),
		],
		['something else', () => Buffer.from('something else')],
		['empty', () => Buffer.alloc(0)],
	])('runs when what was kept is %s, and keeps it anew', (_, damage) => {
		const {file, kept} = place();
		const script = {file, identity: 'a'.repeat(16), kept};
		runScript<Greeter>(script).keep();
		const sound = statSync(kept).size;
		writeFileSync(kept, damage(readFileSync(kept)));
		const again = runScript<Greeter>({...script, file: moved(file)});
		expect(again.exports.greet('ada')).toBe('Hello ada');
		again.keep();
		expect(statSync(kept).size).toBeGreaterThanOrEqual(sound);
	});

	test('runs when nothing can be kept', () => {
		const {file, folder, kept} = place();
		writeFileSync(join(folder, 'cache'), 'in the way');
		const script = runScript<Greeter>({file, identity: 'a'.repeat(16), kept});
		script.keep();
		expect(script.exports.greet('ada')).toBe('Hello ada');
		const nowhere = runScript<Greeter>({file, identity: 'a'.repeat(16), kept: undefined});
		nowhere.keep();
		expect(nowhere.exports.greet('ada')).toBe('Hello ada');
	});

	test('leaves nothing beside what is kept', () => {
		const {file, kept} = place();
		mkdirSync(join(kept, '..'), {recursive: true});
		runScript<Greeter>({file, identity: 'a'.repeat(16), kept}).keep();
		expect(readdirSync(join(kept, '..'))).toEqual(['screen']);
	});
});
