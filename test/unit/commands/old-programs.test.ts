import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {removeOldPrograms} from '../../../src/commands/old-programs.ts';
import {temporaryFolder} from '../../support/local-service.ts';

test('a service on a machine removes earlier copies that no hook runs', () => {
	const folder = join(temporaryFolder(), 'remote');
	const build = (version: string, letter: string) => `${version}-${letter.repeat(12)}`;
	const [own, old, hooked] = [build('0.3.0', 'a'), build('0.1.0', 'b'), build('0.2.0-beta.1', 'c')];
	const nodes = ['node-v24.1.0', 'node-v24.2.0', 'node-v22.19.0'];
	for (const name of [own, old, hooked, 'new-1234', 'notes-of-mine', ...nodes])
		mkdirSync(join(folder, name), {recursive: true});
	const script = join(folder, own, 'cli.cjs');
	writeFileSync(script, '');
	const launcher = join(folder, 'launcher');
	writeFileSync(
		launcher,
		`node='/home/it'\\''s/remote/node-v24.1.0'\nhook='/home/it'\\''s/remote/${hooked}/hook.cjs'\n`,
	);
	const kept = [own, hooked, 'new-1234', 'notes-of-mine', 'node-v24.1.0', 'node-v24.2.0', 'launcher'];
	removeOldPrograms({script, node: join(folder, 'node-v24.2.0'), launcher});
	expect(readdirSync(folder).sort()).toEqual(kept.sort());

	// Without hooks, the launcher isn't there.
	removeOldPrograms({script, node: '/usr/bin/node', launcher: join(folder, 'none')});
	expect(readdirSync(folder).sort()).toEqual([own, 'new-1234', 'notes-of-mine', 'launcher'].sort());
	// An installed program is in a folder of another kind.
	const installed = join(folder, 'notes-of-mine', 'cli.cjs');
	writeFileSync(installed, '');
	removeOldPrograms({script: installed, node: '/usr/bin/node', launcher: join(folder, 'none')});
	expect(readdirSync(folder)).toContain(own);
});
