import {expect, test} from 'vitest';
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
