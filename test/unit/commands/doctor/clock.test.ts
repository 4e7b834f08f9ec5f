import {expect, test} from 'vitest';
import {strings} from '../../../../src/commands/doctor/strings.ts';

test("reports the service's clock in whole seconds, like its Date header", () => {
	const {clock} = strings.service;
	expect([0.5, -0.9].map(clock)).toEqual([
		"the service's clock is within a second of this machine's",
		"the service's clock is within a second of this machine's",
	]);
	expect(clock(2.4)).toBe("the service's clock is 2 s ahead of this machine's");
	expect(clock(-45.3)).toBe("the service's clock is 45 s behind this machine's");
});
