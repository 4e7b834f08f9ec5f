import {z} from 'zod';
import {type Computer, providerTypes} from '../domain/computers/computer.ts';
import {nameLength, remoteUserLength, repoCount, repoLength} from '../domain/limits.ts';
import type {Caller} from './call.ts';
import {readOne} from './envelope.ts';
import {boundedText, oneOf, pathId, uri, uuid, validate} from './request-schemas.ts';
import {id, lenientInstant, lenientList, lenientObject, lenientText} from './response-schemas.ts';
import type {Service} from './service.ts';

const step = lenientObject({
	id: lenientText,
	name: lenientText,
	status: lenientText,
	error: lenientText,
	startedAt: lenientInstant,
	completedAt: lenientInstant,
	installSessionId: lenientText,
});

const computer = lenientObject({
	id,
	name: lenientText,
	providerType: lenientText,
	createdAt: lenientInstant,
	hostId: lenientText,
	hostname: lenientText,
	status: lenientText,
	provisioningSteps: lenientList(step),
	relayClientUrl: lenientText,
	relayAgentUrl: lenientText,
	remoteUser: lenientText,
});

const draft = z.strictObject({
	name: boundedText(nameLength),
	remoteUser: boundedText(remoteUserLength),
	provider: oneOf(providerTypes).optional(),
	hostId: uuid.optional(),
	repos: z
		.array(
			uri.refine(text => text.length <= repoLength, `must be at most ${repoLength} characters`),
			'must be a list',
		)
		.refine(repos => repos.length <= repoCount, `must be at most ${repoCount} repositories`)
		.optional(),
	autoInstallDeps: z.boolean('must be true or false').optional(),
});

const patch = z.strictObject({
	name: boundedText(nameLength).optional(),
	hostId: uuid.optional(),
	remoteUser: boundedText(remoteUserLength).optional(),
});

const root = '/api/v0/computers';

/** Computer endpoints: create, get, update, retry the dependency install. */
export function createComputers(call: Caller): Service['computers'] {
	const decode = (answer: unknown): Computer => readOne(answer, computer, 'computer');
	return {
		create: async (values, options) =>
			call(
				{
					resource: 'computers.create',
					host: 'base',
					method: 'POST',
					path: root,
					body: validate(draft, values, 'computer'),
					policy: 'post',
					decode,
				},
				options,
			),
		get: async (computerId, options) =>
			call(
				{
					resource: 'computers.get',
					host: 'base',
					method: 'GET',
					path: `${root}/${pathId(computerId, 'computerId')}`,
					policy: 'read',
					decode,
				},
				options,
			),
		update: async (computerId, values, options) =>
			call(
				{
					resource: 'computers.update',
					host: 'base',
					method: 'PATCH',
					path: `${root}/${pathId(computerId, 'computerId')}`,
					body: validate(patch, values, 'computer'),
					policy: 'read',
					decode,
				},
				options,
			),
		installDeps: async (computerId, options) =>
			call(
				{
					resource: 'computers.installDeps',
					host: 'base',
					method: 'POST',
					path: `${root}/${pathId(computerId, 'computerId')}/install-deps`,
					policy: 'post',
					decode,
				},
				options,
			),
	};
}
