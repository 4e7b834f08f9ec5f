import type {Service} from '../../src/api/service.ts';

/** A service with some of its calls replaced. */
export function withCalls(
	service: Service,
	calls: {readonly [Name in keyof Service]?: Partial<Service[Name]>},
): Service {
	const parts = Object.entries(calls).map(([name, replaced]) => [
		name,
		Object.assign(Object.create(service[name as keyof Service]), replaced),
	]);
	return {...service, ...Object.fromEntries(parts)};
}
