import {type Organization, type OrganizationOptions, organizationOf} from '../../src/demo/organization.ts';

const models = ['model-large', 'model-small', 'model-thinking'];
const clients = ['terminal-ui', 'web', 'non-interactive-cli'];
const tools = [
	'Execute',
	'Read',
	'Edit',
	'Grep',
	'mcp__tracker__search',
	'</invoke> <parameter',
	'Read"\n{"path',
];
const servers = ['Tracker', 'tracker', 'docs', 'DOCS', 'browser'];
const levels = ['auto-high', 'auto-medium', 'auto-low', 'spec', 'manual'];

/** Names in `tools` that are scraps of a call. */
export const artifactNames: ReadonlySet<string> = new Set(tools.slice(5));

/** An organization with all the flaws that analytics have. */
export function createOrganization(options: Omit<OrganizationOptions, 'names'>): Organization {
	return organizationOf({
		...options,
		names: {
			models,
			clients,
			tools,
			servers,
			levels,
			languages: ['TypeScript'],
			person: index => (index % 7 === 2 ? {} : {email: `Person${index}@example.org`}),
		},
	});
}
