import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runJson} from '../support/agent-says.ts';
import {createRepository, packageFiles} from '../support/git-repository.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 140, rows: 44};
const hostId = '01234567-89ab-cdef-0123-456789abcdef';

/** What a script sees of the computers known here. */
const listed = (env: NodeJS.ProcessEnv) => runJson(env, 'computers', 'list');

test('a computer is created, its failed install retried, renamed, used, forgotten and restored', async () => {
	const gate = join(temporaryFolder(), 'gate');
	const check = `if [ ! -e ${gate} ]; then echo the gate is shut >&2; exit 3; fi`;
	const shop = createRepository(packageFiles({preinstall: check}));
	const tools = createRepository({'README.md': 'nothing to install here'});
	const env = emptyHome();
	const terminal = openProgram(['--local', '--view', 'computers'], env, size);
	await terminal.see(/✓ active/);
	expect(await listed(env)).toMatchObject([{status: 'active', quarterdeck: {origin: 'local'}}]);

	// Every field of the contract.
	terminal.press('N');
	await terminal.see('New computer');
	terminal.press('tab');
	terminal.type('workshop');
	terminal.press('tab');
	terminal.type(`${shop.url} ${tools.url}`);
	await terminal.see(/✓ 2 file:\/\//);
	terminal.press('tab', 'y', 'tab', 'b', 'tab');
	terminal.type('no uuid');
	await terminal.see('Not a UUID');
	terminal.press('ctrl+u');
	terminal.type(hostId);
	await terminal.gone('Not a UUID');
	terminal.press('enter');
	await terminal.gone('New computer');

	// Its steps, and what went wrong, whole.
	await terminal.see(/▌✗ step failed +workshop/, {within: 30_000});
	await terminal.see(/✗ install dependencies +failed/);
	await terminal.see('the gate is shut');
	await terminal.see(/✓ clone .* done/);
	await terminal.see('R  retries the dependency install');

	// Again, with what was in the way gone.
	writeFileSync(gate, '');
	terminal.press('R');
	await terminal.see(/▌✓ active +workshop/, {within: 30_000});
	await terminal.gone('R  retries the dependency install');
	await terminal.see(hostId);

	// The output of the install, and back. It has the service's title as soon as that is read.
	terminal.press('i');
	await terminal.see(/[Ii]nstall (dependencies )?on wo/);
	terminal.press('3');
	await terminal.see(/▌✓ active +workshop/);

	// Another name; nothing else is sent.
	terminal.press('e');
	await terminal.see('Edit computer');
	terminal.press('end');
	terminal.type('-2');
	await terminal.see('10 of 63');
	terminal.press('ctrl+s');
	await terminal.gone('Edit computer');
	await terminal.see(/▌✓ active +workshop-2/);
	expect((await listed(env)).find(({name}) => name === 'workshop-2')).toMatchObject({
		hostId,
		status: 'active',
	});

	// A session here, and how many there are.
	terminal.press('n');
	await terminal.see('> A command for the shell');
	terminal.type('basename "$PWD"');
	await terminal.see('> basename');
	terminal.press('enter');
	await terminal.see('Enter send');
	await terminal.see('workspace');
	terminal.press('esc');
	await terminal.see(/Enter write .* n /);
	terminal.press('3');
	await terminal.see(/▌✓ active +workshop-2 .* 2 /);

	// Forgotten here, and back in its place.
	terminal.press('D');
	await terminal.see('Forget workshop-2?');
	terminal.press('y');
	await terminal.gone('workshop-2?');
	await terminal.gone(/active +workshop-2/);
	expect((await listed(env)).map(({name}) => name)).not.toContain('workshop-2');
	terminal.press('u');
	await terminal.see(/▌✓ active +workshop-2/);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	expect((await listed(env)).map(({name}) => name)).toContain('workshop-2');
}, 120_000);
