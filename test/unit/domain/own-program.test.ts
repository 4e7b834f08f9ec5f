import {expect, onTestFinished, test, vi} from 'vitest';
import {programOf} from '../../../src/domain/own-program.ts';

test.each(['start', 'quarterdeck'])(
	'hints name commands as they work after `npm ci`, from the script %s',
	script => {
		const env = {npm_package_name: 'quarterdeck', npm_lifecycle_event: script};
		expect(programOf(env)).toBe('npm run -s quarterdeck --');
	},
);

test.each([{}, {npm_package_name: 'other', npm_lifecycle_event: 'start'}, {npm_lifecycle_event: 'npx'}])(
	'an installed program is called by its name: %j',
	env => expect(programOf(env)).toBe('quarterdeck'),
);

test('every hint about a wrong command names the right one in a form that works', async () => {
	// Files that come later in this process import the modules anew, too.
	onTestFinished(() => {
		vi.unstubAllEnvs();
		vi.resetModules();
	});
	vi.stubEnv('npm_package_name', 'quarterdeck');
	vi.stubEnv('npm_lifecycle_event', 'quarterdeck');
	vi.resetModules();
	const {cliStrings} = await import('../../../src/commands/cli/strings.ts');
	const {unknownCommand, needsVerb, missingFlags} = cliStrings.usage;
	for (const hint of [
		unknownCommand('x', 'y'),
		needsVerb('sessions', 'list, get'),
		missingFlags(['--name', '--remote-user'], 'computers create'),
		cliStrings.registry.unknown('session', 's1'),
	])
		expect(hint).toContain('see npm run -s quarterdeck -- ');
	const {usage, findCommand} = await import('../../../src/commands/cli/help.ts');
	const send = findCommand(['send']);
	expect(send && usage(send)).toMatch(/^npm run -s quarterdeck -- send SESSION TEXT /);
});
