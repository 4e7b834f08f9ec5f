import {describe, expect, test} from 'vitest';
import {normalAddress, organizationOf} from '../../../../src/domain/accounts/account.ts';
import {tokenOf} from '../../../support/token.ts';

test.each([
	['https://API.Example:443/', 'https://api.example'],
	['https://api.example', 'https://api.example'],
	['http://api.example:80/base/', 'http://api.example/base'],
	['https://api.example:8443/Base//', 'https://api.example:8443/Base'],
])('%s is the same address as %s', (address, normal) => {
	expect(normalAddress(address)).toBe(normal);
});

describe('the organization of a token', () => {
	test.each([
		[{org_id: 'org-1'}, 'org-1'],
		[{organization: {id: 'org-2', name: 'Acme'}}, 'org-2'],
		[{'https://issuer.example/org_id': 'org-3'}, 'org-3'],
		[{tid: 'tenant'}, 'tenant'],
		[{org_id: 7, organization_id: 'org-4'}, 'org-4'],
		[{org: 'me@acme.example'}, undefined],
		[{sub: 'user'}, undefined],
		[{org_id: 'x'.repeat(201)}, undefined],
		[['org_id'], undefined],
		[null, undefined],
	])('%j is %s', (payload, organization) => {
		expect(organizationOf(tokenOf(payload))).toBe(organization);
	});

	test.each(['k-0123456789', 'a.b.c', 'eyJ.%%%.x', 'eyJhbGciOiJub25lIn0.e30', ''])(
		"%s isn't a token, or names no organization",
		key => {
			expect(organizationOf(key)).toBeUndefined();
		},
	);
});
